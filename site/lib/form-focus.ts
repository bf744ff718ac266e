import type { KeyboardEvent } from 'react'

/** Focuses the first invalid field, or else the button, which lost the focus while it was disabled. */
export function focusFailure(form: HTMLFormElement | null, failed: string | undefined): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"], .field__error[tabindex]')
  const control = invalid instanceof HTMLFieldSetElement ? invalid.querySelector<HTMLElement>('input') : invalid
  if (control) control.focus()
  else if (failed && document.activeElement === document.body)
    form?.querySelector<HTMLElement>('.rsvp-form__submit')?.focus()
}

export function moveByKey(event: KeyboardEvent<HTMLFormElement>): void {
  moveInToolbar(event)
  moveOnEnter(event)
}

/** A toolbar is one tab stop: the arrow keys, Home and End move within it (WAI-ARIA). */
function moveInToolbar(event: KeyboardEvent<HTMLFormElement>): void {
  const target = event.target as HTMLButtonElement
  const buttons = Array.from(target.closest('[role=toolbar]')?.querySelectorAll('button') ?? [])
  const place = buttons.indexOf(target)
  const [back, on] = document.dir === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
  const places: Record<string, number> = { [back]: place - 1, [on]: (place + 1) % buttons.length, Home: 0, End: -1 }
  const isShortcut = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  const next = buttons.at((isShortcut ? undefined : places[event.key]) ?? place)
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  if (next === target || next === undefined) return
  event.preventDefault()
  next.focus()
}

/**
 * Enter moves on from a field whose key on the keyboard of a phone says so: there the visitor is still filling in the
 * form. Elsewhere it submits, except from the name of a family member, which is followed by the age group.
 */
function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget, key, nativeEvent } = event
  // Enter while composing confirms a character of the input method and must not leave the field.
  if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
  if (target.enterKeyHint !== 'next' || !(target.closest('.member') || matchMedia('(pointer: coarse)').matches)) return
  event.preventDefault()
  const fields = Array.from(currentTarget.querySelectorAll('input'))
  fields[fields.indexOf(target) + 1]?.focus()
}
