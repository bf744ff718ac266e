import { folded, householdWords, particles, suffixes } from '#db/rsvp/public-name/name-words.ts'

/** Before a remark, e.g. `(with baby)`. */
const REMARK = /\s*[([{].*$/u
const BLANKS = /\s+/u
/** Letters of Vietnamese and Hungarian, which put the family name first. */
const FAMILY_NAME_FIRST = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9őŰűŐ]/u

/**
 * The part of a name by which people look for it in a list, e.g. `van der Berg` of `Jan van der Berg`: what stands before a
 * comma, else the last word with the particles in front of it. Of a name that is written otherwise, the whole of it.
 */
export function familyNameOf(name: string): string {
  const [first = '', second = ''] = name
    .normalize('NFC')
    .trim()
    .replace(REMARK, '')
    .split(/\s*,\s*/u)
  if (first !== '' && second !== '' && !suffixes.has(folded(second))) return first
  const words = first.split(BLANKS).filter((word) => !householdWords.has(folded(word)) && !suffixes.has(folded(word)))
  if (words.length < 2) return words[0] ?? name
  if (FAMILY_NAME_FIRST.test(name)) return words[0] ?? name
  let start = words.length - 1
  while (start > 1 && particles.has(folded(words[start - 1] ?? ''))) start--
  return words.slice(start).join(' ')
}

const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** In the order of a list for people: by family name, then by the whole name. */
export function compareNames(one: string, other: string): number {
  return order.compare(familyNameOf(one), familyNameOf(other)) || order.compare(one, other)
}
