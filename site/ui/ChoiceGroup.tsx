import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { FieldError } from './Field.tsx'
import { Icon } from './Icon.tsx'

/** Radio buttons that CSS draws as large buttons, so they work without JavaScript. */
export function ChoiceGroup({
  legend,
  label,
  name,
  options,
  initial,
  error,
  required,
  clearable,
  size = 'normal',
}: {
  legend: ReactNode
  /** Read out instead of the legend, for groups with the same legend. */
  label?: string
  name: string
  options: readonly { value: string; label: ReactNode; hint?: string; tone?: 'yes' | 'no'; icon?: string }[]
  initial: string | undefined
  error?: string | undefined
  required?: boolean
  /** Whether pressing the selected option again, by pointer or space bar, clears it. */
  clearable?: boolean
  size?: 'normal' | 'large' | 'chips'
}) {
  const id = useId()
  const errorId = `${id}-error`
  const group = useRef<HTMLFieldSetElement>(null)
  const [value, setValue] = useState(initial)

  // Adopts what was selected before hydration, which React's next render would reset.
  useLayoutEffect(() => {
    setValue(group.current?.querySelector<HTMLInputElement>('input:checked')?.value)
  }, [])

  // Browsers send no click when the space bar is pressed on a checked radio button.
  function clearBySpace(event: KeyboardEvent) {
    if (event.key !== ' ') return
    event.preventDefault()
    setValue(undefined)
  }

  return (
    <fieldset
      ref={group}
      className={`choices choices--${size}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it, and only this role may be invalid.
      role="radiogroup"
      aria-label={label}
      aria-required={required || undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={error && errorId}
    >
      <legend className="field__label">{legend}</legend>
      <div className="choices__options">
        {options.map((option) => (
          <label key={option.value} className={option.tone ? `choice choice--${option.tone}` : 'choice'}>
            <input
              className="choice__input"
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              // Some screen readers do not read the description of a group.
              aria-describedby={error && errorId}
              onChange={() => setValue(option.value)}
              {...(clearable &&
                option.value === value && { onClick: () => setValue(undefined), onKeyUp: clearBySpace })}
            />
            {option.icon && <Icon shape={option.icon} />}
            {option.label}
            {option.hint && <small>{option.hint}</small>}
          </label>
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
