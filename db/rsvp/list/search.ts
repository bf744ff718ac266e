import { type FieldName, fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

const searched = fieldsIn('search')
/** The text to search in a field, where it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

/** Whether every word is somewhere in the response, in any case, with or without accents. */
export function matches(response: StoredRsvp, search: string): boolean {
  const text = folded(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'))
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** As people type when they search: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
