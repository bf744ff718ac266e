import { withPlainDigits } from '#db/values/numbers.ts'
import { isWebAddress, type TextPart } from '#site/lib/links.ts'
import { phoneLink, WRITTEN_NUMBER } from '#site/lib/phone-links.ts'

/** Half of an address would lead to another person: it begins after a blank or a bracket, and ends before one or a mark. */
const LINKED =
  /(?<=^|[\s<([:])(?:(?<page>https?:\/\/\S+?)|(?<mailbox>[\p{L}\p{M}\p{N}._+'&-]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+))(?=[)\]>.,;:!?]*(?:\s|$))/gu
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}.,:/-])${WRITTEN_NUMBER}(?![\p{L}\p{N}@])`, 'gu')

/** Splits a text at its addresses and numbers: `Ana, 0303 5550100, or ana@church.example` has two. */
export function contactParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index, groups } of text.matchAll(LINKED)) {
    const isLinked = groups?.mailbox !== undefined || isWebAddress(found)
    if (!isLinked) continue
    parts.push(...numbersIn(text.slice(at, index)), { text: found, href: groups?.mailbox ? `mailto:${found}` : found })
    at = index + found.length
  }
  return [...parts, ...numbersIn(text.slice(at))]
}

function numbersIn(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    const number = written.replace(/[ ().-]+$/, '')
    if (!isPhone(number)) continue
    parts.push({ text: text.slice(at, index) }, { text: number, href: phoneLink(number) })
    at = index + number.length
  }
  return [...parts, { text: text.slice(at) }].filter((part) => part.text !== '')
}

/** A number that begins with `+`, 0 or a code in brackets, or has the groups of North America, e.g. 555-123-4567. */
function isPhone(number: string): boolean {
  const plain = withPlainDigits(number)
  const groups = plain.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 9 || count > 15 || !/^(?:[+(0]|(?:1[ .-])?\d{3}[ .-]\d{3}[ .-]\d{4}$)/.test(plain)) return false
  // Days and hours are pairs with different marks between them, or have the year at their end.
  const marks = new Set(plain.split(/\d+/).slice(1, -1))
  const arePairs = marks.size > 1 && groups.every(({ length }) => length < 3)
  return plain.startsWith('+') || !(arePairs || /[./-](?:19|20)\d\d$/.test(plain))
}
