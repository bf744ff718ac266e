import type { KeyboardEvent } from 'react'

/** Focuses the first invalid field, or else the button, which lost the focus while it was disabled. */
export function focusFailure(form: HTMLFormElement | null, failed: string | undefined): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"], .field__error[tabindex]')
  const control = invalid instanceof HTMLFieldSetElement ? invalid.querySelector<HTMLElement>('input') : invalid
  if (control) control.focus()
  else if (failed && document.activeElement === document.body)
    form?.querySelector<HTMLElement>('.rsvp-form__submit')?.focus()
}

/**
 * Enter moves on from a field whose key on the keyboard of a phone says so: there the visitor is still filling in the
 * form. Elsewhere it submits, except from the name of a family member, which is followed by the age group.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget, key, nativeEvent } = event
  // Enter while composing confirms a character of the input method and must not leave the field.
  if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
  if (target.enterKeyHint !== 'next' || !(target.closest('.member') || matchMedia('(pointer: coarse)').matches)) return
  event.preventDefault()
  const fields = Array.from(currentTarget.querySelectorAll('input'))
  fields[fields.indexOf(target) + 1]?.focus()
}
