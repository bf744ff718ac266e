export function RadioList<Value extends string>({
  name,
  value,
  options,
  onChange,
}: {
  name: string
  value: Value
  options: { value: Value; label: string; description: string }[]
  onChange: (value: Value) => void
}) {
  return options.map((option) => (
    <label key={option.value} className="radio-list__option">
      <input
        className="checkbox__input"
        type="radio"
        name={name}
        value={option.value}
        checked={option.value === value}
        onChange={() => onChange(option.value)}
      />
      <span>
        <span className="item__name">{option.label}</span>
        <span className="field__hint">{option.description}</span>
      </span>
    </label>
  ))
}
