import { type ReactNode, useId } from 'react'
import { t } from '#site/texts/texts.ts'
import { Icon } from './Icon.tsx'
import { warning } from './icons.ts'

/**
 * Wires a label and an error message to one input, textarea or select.
 *
 * The message is part of the control's description rather than an alert: when a form moves the focus to its first
 * invalid field, a screen reader reads that label and message, and not all messages at once.
 */
export function Field({
  label,
  error,
  optional,
  labelHidden,
  children,
}: {
  label: ReactNode
  error?: string | undefined
  optional?: boolean
  labelHidden?: boolean
  children: (wiring: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}) {
  const id = useId()
  const errorId = `${id}-error`

  return (
    <div className="field">
      <label className={labelHidden ? 'visually-hidden' : 'field__label'} htmlFor={id}>
        {label}
        {optional && <span className="field__optional"> {t('(optional)')}</span>}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error && errorId,
      })}
      {error && (
        <p className="field__error" id={errorId}>
          <Icon shape={warning} />
          {error}
        </p>
      )}
    </div>
  )
}
