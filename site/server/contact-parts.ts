import { isWebAddress, type TextPart } from '#site/lib/links.ts'
import { inPlainMarks, phoneLink, writtenNumber } from '#site/lib/phone-links.ts'

/** Between the pieces of a text. */
const BETWEEN = /([\s<>、；：！？،؛؟।॥]+|。(?!\w))/
/** A piece: an address or another word, and the marks around it. */
const PIECE =
  /^((?:(?!https?:)[\p{L}\p{M}-]+:|\[\S*\]\()?[\p{Ps}\p{Pi}\p{Pf}\p{Cf}"]*(?:mailto:)?)(\S*?(?:\([^()\s]*\))?)([\p{Pe}\p{Pi}\p{Pf}\p{Cf}"',.;:!?…]*)$/iu
const MAILBOX =
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N}!#$%&'*+^_`{|}~-]*(?:\.[\p{L}\p{M}\p{N}!#$%&'*+^_`{|}~-]+)*@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u
/** Scripts without blanks between words run on, e.g. `ana@church.exampleまで`. */
const RUNS_ON = /\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}/u

/**
 * Splits a text at its addresses and numbers: `Ana, 0303 5550100, or ana@church.example` has two. Half of an address
 * would lead to another person, and hours or accounts call no one, so whatever is in doubt has no link.
 */
export function contactParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let plain = ''
  for (const { text: piece, href } of text.split(BETWEEN).flatMap(addressIn)) {
    if (href !== undefined) parts.push(...numbersIn(plain), { text: piece, href })
    plain = href === undefined ? plain + piece : ''
  }
  return [...parts, ...numbersIn(plain)]
}

/** An address of mail or of a page, if the piece has one and nothing else. */
function addressIn(piece: string): TextPart[] {
  const [, before = '', address = '', after = ''] = PIECE.exec(piece) ?? []
  const isMailbox = MAILBOX.test(address)
  const [host = ''] = address.split(/(?<=[^:/])[/?#]/)
  if (RUNS_ON.test(host) || !(isMailbox || isWebAddress(address))) return [{ text: piece }]
  // These would begin something else in a link.
  const href = isMailbox ? `mailto:${address.replace(/[%#]/g, encodeURIComponent)}` : address
  return [{ text: before }, { text: address, href }, { text: after }]
}

const numbers = new RegExp(writtenNumber, 'giu')
/** What has digits that call no one: an account by its IBAN, or by the word before it. */
const account =
  /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{1,4}){2,8}|(?<!\p{L})(?:bic|blz|bank\p{L}*|\p{L}*konto\p{L}*|kto|acc(?:oun)?t?|a\/c|sort.?code|routing|aba|bsb|ccp|pix|r[eé]f(?:[eéê]ren[cz]\p{L}*)?|compte|cuenta|conta|계좌\p{L}*|(?:ال)?حساب)(?:[^\p{L}\d]*(?:no|nr|num\p{L}*|n[uú]mero|postal|번호))?[^\p{L}\d]*\d[\d ./-]*/giu
const partBefore = /[\p{Script=Latin}\d_=#&?%@$€£+]$|\d[,:'’]$|[\p{Script=Latin}\d][/-]$/u
const partAfter = /^(?:[\p{Script=Latin}\d_@%€$£=&]|[,:'’]\d|[/-](?:\p{Script=Latin}|\d{5}))/u

function numbersIn(text: string): TextPart[] {
  const searched = inPlainMarks(text).replace(account, ({ length }) => 'x'.repeat(length))
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index, groups = {} } of searched.matchAll(numbers)) {
    // A bracket around the number is no part of it.
    const number = groups.number?.replace(/^\((?=[^)]*$)/, '') ?? ''
    const [start, end] = [index + (groups.number?.length ?? 0) - number.length, index + found.length]
    const isPart = partBefore.test(searched.slice(0, index)) || partAfter.test(searched.slice(end))
    if (isPart || !isPhone(number)) continue
    parts.push(
      { text: text.slice(at, start) },
      { text: text.slice(start, end), href: phoneLink({ ...groups, number }) },
    )
    at = end
  }
  return [...parts, { text: text.slice(at) }].filter((part) => part.text !== '')
}

const HOURS = /^(?:[01]\d|2[0-4])[0-5]\d(?: ?- ?(?:[01]\d|2[0-4])[0-5]\d)+$/
/** A day or a month; a postal code of Brazil; a decimal. */
const OTHERS = /^[0-3]?\d[./ -]{1,2}(?:[0-3]?\d[./ -]{1,2})?(?:19|20)\d\d(?!\d)|^\d{5}-\d{3}$|^0\.\d+$/

/** A number that begins with `+`, 0 or a code in brackets, or has the groups of North America, e.g. 555-123-4567. */
function isPhone(number: string): boolean {
  const groups = number.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 7 || count > 15) return false
  if (/^\(?\+\(?[1-9]/.test(number)) return true
  if (!/^\(?0|^\(\d\d\d?\)|^(?:1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-.]\d{4}$/.test(number)) return false
  // Days and hours are pairs with different marks between them; rooms and songs all begin with 0.
  const marks = new Set(number.split(/\d+/).slice(1, -1))
  const arePairs = marks.size > 1 && groups.every(({ length }) => length < 3)
  const areRooms = groups.length > 1 && groups.every((group) => /^0\d{0,3}$/.test(group))
  return !arePairs && !areRooms && !HOURS.test(number) && !OTHERS.test(number)
}
