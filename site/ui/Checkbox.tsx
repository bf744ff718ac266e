import { type ReactNode, useEffect, useRef } from 'react'

export function Checkbox({
  label,
  children,
  checked,
  indeterminate = false,
  onChange,
}: {
  /** Names it where no text beside it does: a hidden text for each of hundreds would cost more than the attribute. */
  label?: string
  /** The text beside it. */
  children?: ReactNode
  checked: boolean
  /** Some, but not all, of the items it stands for are checked. */
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}) {
  const input = useRef<HTMLInputElement>(null)

  // Back shows what was ticked when the page was left, and React takes no notice.
  useEffect(() => {
    if (input.current) input.current.checked = checked
  }, [checked])

  // HTML has no attribute for `indeterminate`.
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])

  return (
    <label className="checkbox">
      <input
        ref={input}
        className="checkbox__input"
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}
