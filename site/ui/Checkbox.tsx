import { type ReactNode, useEffect, useRef } from 'react'

export function Checkbox({
  label,
  labelHidden = false,
  checked,
  indeterminate = false,
  disabled = false,
  name,
  value,
  onChange,
}: {
  label: ReactNode
  labelHidden?: boolean
  checked: boolean
  /** Some, but not all, of what it stands for is ticked. */
  indeterminate?: boolean
  disabled?: boolean
  name?: string
  value?: string
  onChange: (checked: boolean) => void
}) {
  const input = useRef<HTMLInputElement>(null)

  // HTML has no attribute for it.
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])

  return (
    <label className="checkbox">
      <input
        ref={input}
        className="checkbox__input"
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={labelHidden ? 'visually-hidden' : 'checkbox__label'}>{label}</span>
    </label>
  )
}
