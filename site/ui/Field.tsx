import { type ComponentProps, type ReactNode, useId } from 'react'
import { t } from '#site/texts/texts.ts'
import { Icon, warning } from './Icon.tsx'

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
        {optional && <Optional />}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error && errorId,
      })}
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

/** What is wrong with a field; nothing where it is right. */
export function FieldError({ children, ...rest }: ComponentProps<'p'>) {
  if (!children) return null
  return (
    <p {...rest} className="field__error">
      <Icon shape={warning} />
      {children}
    </p>
  )
}

/** Behind a label. */
export function Optional() {
  return <span className="field__optional"> {t('(optional)')}</span>
}

/** A checkbox with the text beside it. */
export function Checkbox({ children, className, ...input }: ComponentProps<'input'>) {
  return (
    <label className={className ? `checkbox ${className}` : 'checkbox'}>
      <input {...input} className="checkbox__input" type="checkbox" />
      {children && <span className="checkbox__label">{children}</span>}
    </label>
  )
}
