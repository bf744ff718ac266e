import type { ComponentProps } from 'react'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

/** For links that look like a button: `<a className={buttonClass('secondary')}>`. */
export function buttonClass(variant: Variant = 'primary'): string {
  return `button button--${variant}`
}

export function Button({
  variant = 'primary',
  type = 'button',
  className,
  ...rest
}: ComponentProps<'button'> & { variant?: Variant }) {
  const look = buttonClass(variant)
  return <button {...rest} type={type} className={className ? `${look} ${className}` : look} />
}
