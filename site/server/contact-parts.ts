import { isWebAddress, type TextPart } from '#site/lib/links.ts'
import { phoneLink, plainNumber, writtenNumber } from '#site/lib/phone-links.ts'

/** Between the pieces of a text. */
const BETWEEN = /([\s<>、；：！？،؛؟।॥]+|。(?!\w))/
/** A piece: an address or another word, and the marks around it. */
const PIECE =
  /^((?:(?!https?:)[\p{L}\p{M}-]+:|\[\S*\]\()?[\p{Ps}\p{Pi}\p{Pf}\p{Cf}"]*(?:mailto:)?)(\S*?)([\p{Pe}\p{Pi}\p{Pf}\p{Cf}"',.;:!?…]*)$/iu
const MAILBOX =
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]*@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u
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
  const isMailbox = MAILBOX.test(address) && !RUNS_ON.test(address)
  if (!isMailbox && !isWebAddress(address)) return [{ text: piece }]
  // These would begin something else in a link.
  const href = isMailbox ? `mailto:${address.replace(/[%?#]/g, encodeURIComponent)}` : address
  return [{ text: before }, { text: address, href }, { text: after }]
}

const numbers = new RegExp(writtenNumber, 'giu')
/** What has digits that call no one: an account by its IBAN, or by the word before it. */
const account =
  /\b[A-Z]{2}\d{2}(?:\p{Zs}?[A-Z\d]{1,4}){2,8}|(?<!\p{L})(?:bic|blz|\p{L}*konto\p{L}*|kto|acc(?:oun)?t|a\/c|sort.?code|r[eé]f(?:[eéê]ren[cz]\p{L}*)?|compte|cuenta|conta|계좌\p{L}*|(?:ال)?حساب)(?:[^\p{L}\p{N}]*(?:no|nr|num\p{L}*|n[uú]mero|번호))?[^\p{L}\p{N}]*\p{N}[\p{N}\p{Zs}/-]*/giu
const partBefore = /[\p{Script=Latin}\p{N}_=#&?%@$€£]$|\p{N}[,:'’]$|[\p{Script=Latin}\p{N}][/\p{Pd}]$/u
const partAfter = /^(?:[\p{Script=Latin}\p{N}_@%€$£=&]|[,:'’]\p{N}|[/\p{Pd}]\p{Script=Latin})/u

function numbersIn(text: string): TextPart[] {
  const searched = text.replace(account, ({ length }) => 'x'.repeat(length))
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index, groups = {} } of searched.matchAll(numbers)) {
    const end = index + found.length
    const isPart = partBefore.test(text.slice(0, index)) || partAfter.test(text.slice(end))
    if (isPart || !isPhone(plainNumber(groups.number ?? ''))) continue
    parts.push({ text: text.slice(at, index) }, { text: found, href: phoneLink(groups) })
    at = end
  }
  return [...parts, { text: text.slice(at) }].filter((part) => part.text !== '')
}

const HOURS = /^(?:[01]\d|2[0-4])[0-5]\d(?: ?- ?(?:[01]\d|2[0-4])[0-5]\d)+$/
/** A day or a month; a postal code of Brazil; a decimal; the numbers of two phones, as in 555 0018/9. */
const OTHERS = /^[0-3]?\d[./ -]{1,2}(?:[0-3]?\d[./ -]{1,2})?(?:19|20)\d\d(?!\d)|^\d{5}-\d{3}$|^0\.\d+$|\/\d\d?$/

/** A number that begins with `+`, 0 or a code in brackets, or has the groups of North America, e.g. 555-123-4567. */
function isPhone(plain: string): boolean {
  const groups = plain.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 7 || count > 15) return false
  if (/^[([ ]*\+[( ]*[1-9]/.test(plain)) return true
  if (!/^[([ ]*0|^\(\d{2,5}\)|^(?:1[-. ])?\d{3}[-. ]\d{3}[-.]\d{4}$/.test(plain)) return false
  // Days and hours are pairs with different marks between them; rooms and songs all begin with 0.
  const marks = new Set(plain.split(/\d+/).slice(1, -1))
  const arePairs = marks.size > 1 && groups.every(({ length }) => length < 3)
  const areRooms = groups.length > 1 && groups.every((group) => /^0\d{0,3}$/.test(group))
  return !arePairs && !areRooms && !HOURS.test(plain) && !OTHERS.test(plain)
}
