import type { ClipboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/rsvp/maximum.ts'
import { namesIn } from '#db/values/people.ts'

/**
 * Gives each name of a list that is pasted into the name of a family member a field of its own: that one, then those
 * that are empty or that the group's button adds. A text without a list is pasted by the browser.
 */
export function pasteNames(event: ClipboardEvent<HTMLFormElement>): void {
  const field = event.target
  const group = field instanceof HTMLInputElement && isMemberName(field) && field.closest('fieldset')
  if (!group) return
  const { value, selectionStart, selectionEnd } = field
  const pasted = event.clipboardData.getData('text')
  const text = value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length)
  if (namesIn(text).length < 2) return
  event.preventDefault()
  const others = () => Array.from(group.querySelectorAll('input')).filter((one) => isMemberName(one) && one !== field)
  const free = () => others().filter((other) => other.value.trim() === '')
  const [first = '', ...rest] = namesIn(text, FAMILY_MEMBERS_MAXIMUM - others().length + free().length)
  typeInto(field, first)
  for (const name of rest) {
    if (free().length === 0)
      flushSync(() => group.querySelector<HTMLElement>('[value="add-family-member"], .entry__more')?.click())
    typeInto(free()[0], name)
  }
  field.focus()
}

function isMemberName({ name }: HTMLInputElement): boolean {
  return /^(familyMembers|member)\.\d+\.name$/.test(name)
}

function typeInto(field: HTMLInputElement | undefined, name: string): void {
  if (field === undefined) return
  field.value = name
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
