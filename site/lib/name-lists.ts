import type { ClipboardEvent, SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/maximums.ts'
import { membersIn } from '#db/values/people.ts'

type FormEvent = SyntheticEvent<HTMLFormElement>

/** Handlers of a form: a list in the name of a family member becomes a member each once it is pasted, left or sent. */
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
    divide(field, text)
  },
  onBlur({ currentTarget }: FormEvent) {
    // New rows would move what is being pressed from under the pointer, so its click comes first.
    if (!currentTarget.matches(':active')) setTimeout(() => divideLeft(currentTarget))
  },
  // After what the click does, e.g. remove the row.
  onClick: ({ currentTarget }: FormEvent) => setTimeout(() => divideLeft(currentTarget)),
  onSubmitCapture: ({ currentTarget }: FormEvent) => divideLists(currentTarget),
}

function divideLeft(form: HTMLFormElement): void {
  divideLists(form, document.activeElement)
}

/** @param but a field in which someone may still be typing. */
export function divideLists(form: HTMLFormElement, but?: Element | null): void {
  for (const field of memberNames(form)) if (field !== but) divide(field, field.value)
}

/** The first name stays in the field; the others go into empty ones, or those that the group's button adds. */
function divide(field: HTMLInputElement, text: string): void {
  const group = field.closest('fieldset')
  const focused = document.activeElement
  if (!group) return
  const free = () => memberNames(group).filter((one) => ![field, focused].includes(one) && one.value.trim() === '')
  const room = FAMILY_MEMBERS_MAXIMUM - memberNames(group).length + free().length + 1
  const members = membersIn(text, room)
  if (members.length < 2) return
  members.forEach((member, place) => {
    if (place > 0 && free().length === 0)
      flushSync(() => group.querySelector<HTMLElement>('[value="add-family-member"], .entry__more')?.click())
    const row = place === 0 ? field : free()[0]
    if (row) fillIn(row, member)
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
  const ages = field.name.replace('.name', '.age')
  // The age group is radio buttons or, for the clerk, a select.
  field.form?.querySelector<HTMLElement>(`[name="${ages}"][value="${age}"]:not(:checked)`)?.click()
  const select = field.form?.elements.namedItem(ages)
  if (age && select instanceof HTMLSelectElement) select.value = age
}
