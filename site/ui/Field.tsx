import { type ComponentProps, createContext, createElement, type ReactNode, useContext, useId } from 'react'
import { t } from '#site/texts/texts.ts'
import { Icon, warning } from './Icon.tsx'

type Control =
  | ({ as?: 'input' } & ComponentProps<'input'>)
  | ({ as: 'select' } & ComponentProps<'select'>)
  | ({ as: 'textarea' } & ComponentProps<'textarea'>)

/** What is wrong with the fields of a form, by their names. A form may also give each its `error`. */
export const FieldErrors = createContext<Record<string, string>>({})

/**
 * An input, select or textarea with its label and its error. All other props are those of the control.
 *
 * The error is part of the control's description and no alert: when a form focuses its first invalid field, a screen
 * reader reads that field's label and error, and not all errors at once.
 */
export function Field({
  as = 'input',
  label,
  error: own,
  optional,
  labelHidden,
  above,
  below,
  hint,
  ...control
}: Control & {
  label: ReactNode
  error?: string | undefined
  optional?: boolean
  labelHidden?: boolean
  /** Between the label and the control. */
  above?: ReactNode
  below?: ReactNode
  /** Part of the control's description. */
  hint?: ReactNode
}) {
  const id = useId()
  const errors = useContext(FieldErrors)
  const error = own ?? errors[control.name ?? '']
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const described = [error && errorId, hint && hintId, control['aria-describedby']].filter(Boolean).join(' ')
  const wiring = { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined }

  return (
    <div className="field">
      <label className={labelHidden ? 'visually-hidden' : 'field__label'} htmlFor={id}>
        {label}
        {optional && <Optional />}
      </label>
      {above}
      {createElement<object>(as, { ...control, ...wiring })}
      {below}
      {hint && (
        <p className="field__hint" id={hintId}>
          {hint}
        </p>
      )}
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

export function FieldError({ children, ...rest }: ComponentProps<'p'>) {
  if (!children) return null
  return (
    <p {...rest} className="field__error">
      <Icon shape={warning} />
      {children}
    </p>
  )
}

export function Optional() {
  return <span className="field__optional"> {t('(optional)')}</span>
}

export function Checkbox({ children, className, ...input }: ComponentProps<'input'>) {
  return (
    <label className={className ? `checkbox ${className}` : 'checkbox'}>
      <input {...input} className="checkbox__input" type="checkbox" />
      {children && <span className="checkbox__label">{children}</span>}
    </label>
  )
}
