import { type ReactNode, useEffect, useRef } from 'react'

export function Checkbox({
  label,
  labelHidden = false,
  checked,
  indeterminate = false,
  onChange,
}: {
  label: ReactNode
  labelHidden?: boolean
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
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={labelHidden ? 'visually-hidden' : 'checkbox__label'}>{label}</span>
    </label>
  )
}
