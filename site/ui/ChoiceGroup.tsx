import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/**
 * Native radios drawn as large buttons, the chosen one filled; by CSS alone, so that it works before and
 * without JavaScript.
 */
export function ChoiceGroup<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  error,
  required = false,
  clearable = false,
  size = 'normal',
}: {
  legend: ReactNode
  name: string
  options: readonly { value: Value; label: ReactNode; tone?: 'yes' | 'no'; icon?: IconName }[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  error?: string | undefined
  required?: boolean
  /** Pressing the chosen one again, by pointer or by the space bar, takes the choice back. */
  clearable?: boolean
  size?: 'normal' | 'large'
}) {
  const id = useId()
  const errorId = `${id}-error`
  const group = useRef<HTMLFieldSetElement>(null)

  // What was chosen before React took the page over: its next render would take it back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, at the start.
  useLayoutEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>('input:checked')?.value
    const option = options.find((known) => known.value === chosen)
    if (option && option.value !== value) onChange(option.value)
  }, [])

  function clear(pressed: Value) {
    if (clearable && pressed === value) onChange(undefined)
  }

  // Browsers send no click when the space bar meets a checked radio.
  function clearBySpace(event: KeyboardEvent, pressed: Value) {
    if (event.key !== ' ' || !clearable || pressed !== value) return
    event.preventDefault()
    onChange(undefined)
  }

  return (
    <fieldset
      ref={group}
      className={`choices choices--${size}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it; only this role may be invalid.
      role="radiogroup"
      aria-required={required || undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className="choices__legend">{legend}</legend>
      <div className="choices__options">
        {options.map((option) => (
          <label key={option.value} className={option.tone ? `choice choice--${option.tone}` : 'choice'}>
            <input
              className="choice__input"
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              // Also on the radio: not every screen reader reads a group's description out.
              aria-describedby={error ? errorId : undefined}
              onChange={() => onChange(option.value)}
              onClick={() => clear(option.value)}
              onKeyUp={(event) => clearBySpace(event, option.value)}
            />
            {option.icon && <Icon name={option.icon} />}
            {option.label}
          </label>
        ))}
      </div>
      {error && (
        <p className="field__error" id={errorId}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
