/** Separators of words, including invisible characters. */
const BLANKS = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]+/u
const HAS_CAPITALS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u
/** A word that can be a first name: no address, and nothing with a comma, e.g. `Cole,`. */
const FIRST_NAME = /^[\p{L}\p{M}'’ʼ‐‑-]+\.?$/u

/**
 * A name as visitors see it while the list shows initials: the first word and the initial of the last, e.g. `Ana C.` for
 * `Ana María Cole`. If it has one word, is in a script without capitals, or may be no name, only its first character.
 */
export function publicNameOf(name: string): string {
  const words = name.normalize('NFC').split(BLANKS).filter(Boolean)
  const [first = '', ...others] = words
  const last = others.at(-1) ?? ''
  const isShown = FIRST_NAME.test(first) && HAS_CAPITALS.test(first) && HAS_CAPITALS.test(last)
  return isShown ? `${first} ${initialOf(last)}.` : `${initialOf(first)}.`
}

function initialOf(word: string): string {
  const [{ segment } = { segment: '' }] = new Intl.Segmenter().segment(word)
  return segment.toUpperCase()
}

/** English words after a family name. */
const AFTER_FAMILY_NAME = /^(?:family|jr|sr|ii|iii)\.?$/i

/** The part of a name by which a list is sorted: the part before a comma, otherwise the last word. */
export function familyNameOf(name: string): string {
  // Drops a remark, e.g. `(with baby)`.
  const [first = '', second = ''] = name.replace(/[([{].*/u, '').split(',', 2)
  const words = (text: string) => text.split(BLANKS).filter((word) => word !== '' && !AFTER_FAMILY_NAME.test(word))
  if (words(first).length > 0 && words(second).length > 0) return first.trim()
  return words(first).at(-1) ?? name
}

/** By family name, then by the whole name. */
export function sortByName<Named extends { name: string }>(list: Named[]): Named[] {
  const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  return list
    .map((named) => ({ named, familyName: familyNameOf(named.name) }))
    .sort((a, b) => order.compare(a.familyName, b.familyName) || order.compare(a.named.name, b.named.name))
    .map(({ named }) => named)
}
