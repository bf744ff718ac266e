import { withPlainDigits } from './numbers.ts'

// What people type into a field for one name. Small, because every visitor loads it.

/** Ignores what is in brackets: `Mo Lind (vegan, no nuts)` is one person. */
function outsideBrackets({ source }: RegExp): RegExp {
  return new RegExp(`(?:${source})(?![^(（]*[)）])`, 'i')
}

/** `and` in the languages of the site, but not a Spanish `y` or Portuguese `e`, which surnames have too. */
const AND = outsideBrackets(/[&＆/]|(?:^|\s)(?:and|und|et|و|및|그리고)\s/)
const COMMA = outsideBrackets(/[,，、،]/)
const LINE_END = outsideBrackets(/[\r\n\u2028\u2029\t|｜;；؛]+/)

const SEVERAL = [
  AND,
  // `Ana y Tomás Pérez`, but not `José Ortega y Gasset`.
  /\s[ye]\s\S+\s\S/,
  // `3 kids`, `Lind +2`, `Lind (4)`, `Lind x3`, but no number at the end of a name.
  /\+|\p{Nd}\s*\p{L}|(?:[(×]|(?:^|\P{L})x)\s*\p{Nd}/iu,
  /family|familie|famille|fam[ií]lia|عائلة|أسرة|가족|أطفال|아이들/i,
  /(?:^|\P{L})(?:kids|children|kinder|enfants|niños|niñas|hijos|crianças|filhos)(?:\P{L}|$)/iu,
]

/** Whether a name probably stands for several people, e.g. `Tom & Anna Lind`, `Ann Lind, Bo Lind`, `3 kids` or `+2`. */
export function isSeveral(name: string): boolean {
  return SEVERAL.some((sign) => sign.test(name.normalize('NFKC'))) || membersIn(name).length > 1
}

/** A bullet, or a number with a dot or bracket, at the beginning of a line. */
const BULLET = /^\s*(?:[-–—*•·▪◦]+\s*|\p{Nd}{1,3}[.)]\s*)/u
/** An age in brackets at the end of a name. */
const YEARS = /^(.+?)\s*[(（]\s*(\p{Nd}{1,3})\s*[)）]$/u

/**
 * The people in a list that was pasted or typed into the field for one name, separated by line breaks, semicolons or
 * commas. A text with a single comma is one name, `Lind, Ruth`, unless both sides are full names, one has an age in
 * brackets, or `and` follows. Ages in brackets become age groups only in a list: `Lind (4)` alone may be four people.
 * @param room the most names to return; the last one then holds the rest.
 */
export function membersIn(text: string, room = Number.POSITIVE_INFINITY) {
  const lines = text.split(LINE_END).map((line) => line.replace(BULLET, ''))
  const parts = present(lines.flatMap(betweenCommas))
  const names = parts.length > 1 ? present(parts.flatMap(betweenAnds)) : parts
  if (names.length < 2) return names.map(withoutAge)
  const rest = names.length > room ? [names.splice(room - 1).join(', ')] : []
  return [...names.map(withAge), ...rest.map(withoutAge)]
}

function withAge(text: string) {
  const [, name, digits = ''] = YEARS.exec(text) ?? []
  if (name === undefined) return withoutAge(text)
  return { name, age: ageOfYears(Number(withPlainDigits(digits))) }
}

export function ageOfYears(years: number) {
  return years < 13 ? 'child' : years < 18 ? 'teen' : 'adult'
}

function withoutAge(name: string) {
  return { name, age: '' }
}

function betweenCommas(line: string): string[] {
  const parts = present(line.split(COMMA))
  const [, second = ''] = parts
  const isPair = parts.every((part) => /\s|[)）]$/.test(part)) || parts.some((part) => YEARS.test(part))
  return parts.length !== 2 || betweenAnds(second).length > 1 || isPair ? parts : [line]
}

function betweenAnds(part: string): string[] {
  return part.replace(/^(\S+\s)?[ye]\s/, '$1&').split(AND)
}

function present(texts: string[]): string[] {
  return texts.map((text) => text.trim()).filter(Boolean)
}
