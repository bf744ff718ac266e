import type { ClipboardEvent, KeyboardEvent, SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/limits.ts'
import { membersIn } from '#db/values/people.ts'

// What the forms for an RSVP do on the keyboard, with the focus, and with a list of names in one field.

type FormEvent = SyntheticEvent<HTMLFormElement>

/** Focuses the first invalid field, or else the submit button, which lost the focus while it was disabled. */
export function focusFailure(form: HTMLFormElement | null, failed: string | undefined): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"], .field__error[tabindex]')
  const control = invalid instanceof HTMLFieldSetElement ? invalid.querySelector<HTMLElement>('input') : invalid
  if (control) control.focus()
  else if (failed && document.activeElement === document.body)
    form?.querySelector<HTMLElement>('.rsvp-form__submit')?.focus()
}

/**
 * On a phone, Enter moves to the next field if the key of the keyboard says so. Elsewhere Enter submits the form, except
 * in the name of a family member, which is followed by the age group.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget, key, nativeEvent } = event
  // Enter that confirms a character of an input method must not leave the field.
  if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
  if (target.enterKeyHint !== 'next' || !(target.closest('.member') || matchMedia('(pointer: coarse)').matches)) return
  event.preventDefault()
  const fields = Array.from(currentTarget.querySelectorAll('input'))
  fields[fields.indexOf(target) + 1]?.focus()
}

/** Props of a form: a list of names in the field of a family member is split into members when pasted, left or sent. */
export const nameLists = {
  onPaste(event: ClipboardEvent<HTMLFormElement>) {
    const field = event.target
    if (!(field instanceof HTMLInputElement && isMemberName(field))) return
    const { value, selectionStart, selectionEnd } = field
    const pasted = event.clipboardData.getData('text')
    const text = value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length)
    if (membersIn(text).length < 2) return
    event.preventDefault()
    field.focus()
    splitField(field, text)
  },
  onBlur({ currentTarget }: FormEvent) {
    // New rows would move the pressed button from under the pointer, so its click comes first.
    if (!currentTarget.matches(':active')) splitLeftFields(currentTarget)
  },
  onClick: ({ currentTarget }: FormEvent) => splitLeftFields(currentTarget),
  onSubmitCapture: ({ currentTarget }: FormEvent) => splitNameLists(currentTarget),
}

/** @param except a field that may still be being typed in. */
export function splitNameLists(form: HTMLFormElement, except?: Element | null): void {
  for (const field of memberNames(form)) if (field !== except) splitField(field, field.value)
}

/** Splits all fields but the focused one, after the current event, e.g. a click that removes a row. */
function splitLeftFields(form: HTMLFormElement): void {
  setTimeout(() => splitNameLists(form, document.activeElement))
}

/** Leaves the first name in the field, and puts the others into empty fields, or new ones that the button adds. */
function splitField(field: HTMLInputElement, text: string): void {
  const group = field.closest('fieldset')
  const focused = document.activeElement
  if (!group) return
  const emptyFields = () =>
    memberNames(group).filter((other) => ![field, focused].includes(other) && other.value.trim() === '')
  const room = FAMILY_MEMBERS_MAXIMUM - memberNames(group).length + emptyFields().length + 1
  const members = membersIn(text, room)
  if (members.length < 2) return
  members.forEach((member, position) => {
    if (position > 0 && emptyFields().length === 0)
      flushSync(() => group.querySelector<HTMLElement>('[value="add-family-member"], .entry__more')?.click())
    const target = position === 0 ? field : emptyFields()[0]
    if (target) fillIn(target, member)
  })
  // The new rows have taken the focus.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  if (focused instanceof HTMLElement) focused.focus()
}

function memberNames(group: HTMLElement): HTMLInputElement[] {
  return Array.from(group.querySelectorAll('input')).filter(isMemberName)
}

function isMemberName({ name }: HTMLInputElement): boolean {
  return /^(familyMembers|member)\.\d+\.name$/.test(name)
}

function fillIn(field: HTMLInputElement, { name, age }: { name: string; age: string }): void {
  field.value = name
  field.dispatchEvent(new Event('input', { bubbles: true }))
  const ageName = field.name.replace('.name', '.age')
  // The age group is radio buttons for visitors, and a select for administrators.
  field.form?.querySelector<HTMLElement>(`[name="${ageName}"][value="${age}"]:not(:checked)`)?.click()
  const select = field.form?.elements.namedItem(ageName)
  if (age && select instanceof HTMLSelectElement) select.value = age
}
