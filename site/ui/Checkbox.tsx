import { type ReactNode, useEffect, useRef } from 'react'

export function Checkbox({
  children,
  checked,
  indeterminate = false,
  onChange,
}: {
  /** The text beside it. */
  children: ReactNode
  checked: boolean
  /** Some, but not all, of the items it stands for are checked. */
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}) {
  const input = useRef<HTMLInputElement>(null)

  // Back shows what was ticked when the page was left, and React takes no notice.
  useEffect(() => {
    if (input.current) input.current.checked = input.current.defaultChecked
  }, [])

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
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}
