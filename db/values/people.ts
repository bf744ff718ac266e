// What people type into a field for one name. Small, because every visitor loads it.

/** `and` in the languages of the site. */
const AND = /\s(?:and|und|et|و|및|그리고)\s/i
/** A Spanish `y` or Portuguese `e` that is no part of a surname: `Ana e Rui`, but not `Ana Costa e Silva`. */
const Y = /^\s?\S+\s[ye]\s|\s[ye]\s\S+\s\S/
const TOGETHER = [/[&＆/]/, AND, Y]
const FAMILY = /family|familie|famille|fam[ií]lia|عائلة|أسرة|가족/i

/** `3 kids`, `Lind +2`, `Lind (4)`, `Lind x3`, but no number at the end of a name. */
const COUNT = /\+|\p{Nd}\s*\p{L}|[(x×]\s*\p{Nd}/u

/** Whether a name is probably that of several people, e.g. `Tom & Anna Lind`, `Familie Lind`, `3 kids` or `+2`. */
export function isSeveral(name: string): boolean {
  const plain = name.normalize('NFKC')
  return [...TOGETHER, COUNT, FAMILY].some((sign) => sign.test(plain))
}

/** A bullet, or a number with what ends it, at the beginning of a line. */
const BULLET = /^\s*(?:[-–—*•·▪◦]+\s*|\p{Nd}{1,3}[.)]\s*)/u

/**
 * The names in a list that was pasted or typed into the field for one name: in lines, or with semicolons or commas
 * between them. A text with a single comma is one name, `Lind, Ruth`, unless both sides are full names or `and` follows.
 * @param room at most so many; the last one then holds the rest.
 */
export function namesIn(text: string, room = Number.POSITIVE_INFINITY): string[] {
  const lines = text.split(/[\r\n\u2028\u2029;；؛]+/).map((line) => line.replace(BULLET, ''))
  const parts = present(lines.flatMap(betweenCommas))
  const names = parts.length > 1 ? present(parts.flatMap(betweenAnds)) : parts
  if (names.length <= room) return names
  return [...names.slice(0, room - 1), names.slice(room - 1).join(', ')]
}

function betweenCommas(line: string): string[] {
  const parts = present(line.split(/[,，、،]/))
  const [, second] = parts
  const isList =
    parts.length !== 2 || TOGETHER.some((sign) => sign.test(` ${second}`)) || parts.every((part) => /\s/.test(part))
  return isList ? parts : [line]
}

function betweenAnds(part: string): string[] {
  // A blank in front, so that the `and` after a last comma is found.
  const parts = ` ${part}`.split(/[&＆/]/).flatMap((one) => one.split(AND))
  return parts.flatMap((one) => (Y.test(one.trim()) ? one.trim().split(/\s[ye]\s/) : one.replace(/^\s+[ye]\s/, '')))
}

function present(texts: string[]): string[] {
  return texts.map((text) => text.trim()).filter(Boolean)
}
