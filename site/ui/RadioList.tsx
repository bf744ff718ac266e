import type { ReactNode } from 'react'

/** A vertical list of radio buttons, each with a description. */
export function RadioList<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
}: {
  legend: ReactNode
  name: string
  options: readonly { value: Value; label: ReactNode; description: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="radio-list">
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio-list__option">
          <input
            className="radio-list__input"
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <span className="radio-list__label">{option.label}</span>
            <span className="radio-list__description">{option.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
