import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/**
 * Native radios drawn as large buttons, the chosen one filled; by CSS alone, so that it works before and
 * without JavaScript.
 */
export function ChoiceGroup({
  legend,
  name,
  options,
  initial,
  error,
  required = false,
  clearable = false,
  size = 'normal',
}: {
  legend: ReactNode
  name: string
  options: readonly { value: string; label: ReactNode; tone?: 'yes' | 'no'; icon?: IconName }[]
  initial: string | undefined
  error?: string | undefined
  required?: boolean
  /** Pressing the chosen one again, by pointer or by the space bar, takes the choice back. */
  clearable?: boolean
  size?: 'normal' | 'large'
}) {
  const id = useId()
  const errorId = `${id}-error`
  const group = useRef<HTMLFieldSetElement>(null)
  const [value, setValue] = useState(initial)

  // What was chosen before React took the page over: its next render would take it back.
  useLayoutEffect(() => {
    setValue(group.current?.querySelector<HTMLInputElement>('input:checked')?.value)
  }, [])

  function clear(pressed: string) {
    if (clearable && pressed === value) setValue(undefined)
  }

  // Browsers send no click when the space bar meets a checked radio.
  function clearBySpace(event: KeyboardEvent, pressed: string) {
    if (event.key !== ' ' || !clearable || pressed !== value) return
    event.preventDefault()
    setValue(undefined)
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
              onChange={() => setValue(option.value)}
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
