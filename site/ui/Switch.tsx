import { type ReactNode, useId } from 'react'

/** A setting that takes effect at once. */
export function Switch({
  label,
  description,
  checked,
  name,
  onChange,
}: {
  label: ReactNode
  description?: ReactNode
  checked: boolean
  name?: string
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className="switch">
      <div className="switch__text">
        <label className="switch__label" htmlFor={id}>
          {label}
        </label>
        {description && (
          <p className="switch__description" id={`${id}-description`}>
            {description}
          </p>
        )}
      </div>
      <input
        className="switch__input"
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: HTML forbids aria-checked on a checkbox, whose own state is exposed.
        role="switch"
        name={name}
        checked={checked}
        aria-describedby={description ? `${id}-description` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  )
}
