import type { ComponentProps } from 'react'

/** The look of a button, for links that lead somewhere: `<a className={buttonClass('secondary')}>`. */
export function buttonClass(variant: 'primary' | 'secondary' | 'quiet' | 'danger' = 'primary'): string {
  return `button button--${variant}`
}

export function Button({
  variant = 'primary',
  type = 'button',
  className,
  ...rest
}: ComponentProps<'button'> & { variant?: 'primary' | 'secondary' | 'quiet' | 'danger' }) {
  const look = buttonClass(variant)
  return <button {...rest} type={type} className={className ? `${look} ${className}` : look} />
}
