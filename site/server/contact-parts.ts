import { withPlainDigits } from '#db/values/numbers.ts'
import { isWebAddress, type TextPart } from '#site/lib/links.ts'
import { phoneLink, WRITTEN_NUMBER } from '#site/lib/phone-links.ts'

/** Whole addresses only, between blanks, brackets or punctuation: half of an address would lead to another person. */
const LINKED =
  /(?<=^|[\s<([:])(?:(?<page>https?:\/\/\S+?)|(?<mailbox>[\p{L}\p{M}\p{N}._+'&-]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+))(?=[)\]>.,;:!?]*(?:\s|$))/gu
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}.,:/-])${WRITTEN_NUMBER}(?![\p{L}\p{N}@])`, 'gu')

/** Splits a text at its addresses and telephone numbers: `Ana, 0303 5550100, or ana@church.example` has one of each. */
export function contactParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: address, index, groups } of text.matchAll(LINKED)) {
    const isMailbox = groups?.mailbox !== undefined
    if (!isMailbox && !isWebAddress(address)) continue
    const link = { text: address, href: isMailbox ? `mailto:${address}` : address }
    parts.push(...splitAtNumbers(text.slice(end, index)), link)
    end = index + address.length
  }
  return [...parts, ...splitAtNumbers(text.slice(end))]
}

function splitAtNumbers(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    const number = written.replace(/[ ().-]+$/, '')
    if (!isPhone(number)) continue
    parts.push({ text: text.slice(end, index) }, { text: number, href: phoneLink(number) })
    end = index + number.length
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '')
}

/** Whether a number begins with `+`, 0 or a bracket, or is grouped as in North America, e.g. 555-123-4567. */
function isPhone(number: string): boolean {
  const plain = withPlainDigits(number)
  const groups = plain.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 9 || count > 15 || !/^(?:[+(0]|(?:1[ .-])?\d{3}[ .-]\d{3}[ .-]\d{4}$)/.test(plain)) return false
  // A date or a time is not a telephone number: it has pairs of digits with different marks, or ends in a year.
  const marks = new Set(plain.split(/\d+/).slice(1, -1))
  const arePairs = marks.size > 1 && groups.every(({ length }) => length < 3)
  return plain.startsWith('+') || !(arePairs || /[./-](?:19|20)\d\d$/.test(plain))
}
