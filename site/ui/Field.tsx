import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'

/**
 * Wires a label, a hint and an error message to one input, textarea or select.
 *
 * The message is part of the control's description rather than an alert: a form that moves the focus to its
 * first invalid field then has it read out once, together with the label, instead of all messages at once.
 */
export function Field({
  label,
  hint,
  error,
  optional = false,
  labelHidden = false,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  labelHidden?: boolean
  className?: string
  children: (wiring: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}) {
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ')

  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label className={labelHidden ? 'visually-hidden' : 'field__label'} htmlFor={id}>
        {label}
        {optional && <span className="field__optional"> (optional)</span>}
      </label>
      {hint && (
        <p className="field__hint" id={hintId}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {error && (
        <p className="field__error" id={errorId}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </div>
  )
}
