import { type FieldName, fieldsIn } from '#db/rsvp/fields.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'

const searched = fieldsIn('search')
/** The text to search in a field, where it is not the one shown. */
const words: Partial<Record<FieldName, (response: StoredRsvp) => string>> = {
  familyMembers: ({ familyMembers }) => familyMembers.map((member) => member.name).join('\n'),
}

/** Whether every word is somewhere in the response, in any case, with or without accents. */
export function matches(response: StoredRsvp, search: string): boolean {
  return hasWords(searched.map((field) => (words[field.name] ?? field.text)(response)).join('\n'), wordsOf(search))
}

/** The words of a search, as `hasWords` compares them. */
export function wordsOf(search: string): string[] {
  return folded(search)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Whether every word is somewhere in the text. */
export function hasWords(text: string, searchedWords: string[]): boolean {
  const comparable = folded(text)
  return searchedWords.every((word) => comparable.includes(word))
}

/** As people type when they search: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
