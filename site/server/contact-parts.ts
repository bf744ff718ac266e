import { LinkifyIt, REBuilder } from 'linkify-it'
import type { TextPart } from '#site/lib/links.ts'
import { phoneLink, plainNumber, writtenNumber } from '#site/lib/phone-links.ts'

type Found = { index: number; end: number; href: string | undefined }

/** Finds names of mailboxes in all scripts, from their very beginning. */
class AllScripts extends REBuilder {
  override get_mail_name(): RegExp {
    const letter = `(?:[-!#$%&'*+/=?^_\`{|}~]|${this.get_pseudo_letter().source})`
    return new RegExp(`${letter}(?:\\.?${letter}){0,63}`)
  }

  override get_mail_name_validator(): RegExp {
    return new RegExp(`(${this.get_mail_name().source})$`)
  }
}

const addresses = new LinkifyIt({ rebuilder: new AllScripts() }).add('ftp:').add('//')

const mail =
  /^(?:mailto:)?([\p{L}\p{N}][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]*@([\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]+)$/iu
const page = /^https?:\/\/([\p{L}\p{M}\p{N}.-]+|\[[\da-f:.]+\])(?:[:/?#]|$)/iu
/** What an address begins and ends at: anything else may be a part of it. */
const opens = /(?:^|[\s<>:：、，；\p{Ps}])["'\p{Pi}\p{Pf}]*$/u
const closes =
  /^(?:[\s<>]|[^\P{P}@/\\_&%#-]*(?:[\s<>]|$)|(?!\p{ASCII})[、，。！？；：।॥؟،؛…\p{Pe}\p{Pi}\p{Pf}]+(?![\p{Script=Latin}\p{N}]))/u

/**
 * Splits a text at its addresses and numbers: `Ana, 0303 5550100, or ana@church.example` has two. Half of an address
 * would lead to another person, and hours or accounts call no one, so whatever is in doubt has no link.
 */
export function contactParts(text: string): TextPart[] {
  const written = (addresses.match(text) ?? []).map((found) => judged(text, found))
  // No number is looked for within what may be an address.
  const cover = (rest: string, { index, end }: Found) =>
    rest.slice(0, index) + 'x'.repeat(end - index) + rest.slice(end)
  const found = [...written.filter(({ href }) => href !== undefined), ...numbersIn(written.reduce(cover, text))]
  found.sort((one, other) => one.index - other.index)
  const parts: TextPart[] = []
  let at = 0
  for (const { index, end, href } of [...found, { index: text.length, end: text.length, href: undefined }]) {
    parts.push({ text: text.slice(at, index), href: undefined }, { text: text.slice(index, end), href })
    at = end
  }
  return parts.filter((part) => part.text !== '')
}

function judged(text: string, { index, lastIndex, raw }: { index: number; lastIndex: number; raw: string }): Found {
  // Marks of direction beside an address are not a part of it.
  const start = index + (/^\p{Cf}+/u.exec(raw)?.[0].length ?? 0)
  const end = lastIndex - (/\p{Cf}+$/u.exec(raw)?.[0].length ?? 0)
  const [address, before, after] = [text.slice(start, end), text.slice(0, index), text.slice(lastIndex)]
  const isInside = before.split(/\s/).at(-1)?.includes('//') || /^[^"]*"@/.test(after)
  const isWhole = opens.test(before) && closes.test(after) && !isInside
  const [, mailbox] = mail.exec(address) ?? []
  const [, host = mailbox] = page.exec(address) ?? []
  const isOne = host !== undefined && !/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(address)
  // Scripts without blanks between words run on, e.g. `ana@church.exampleまで`.
  const isMixed = (label: string) => /\p{Script=Latin}/u.test(label) && /(?!\p{Script=Latin})\p{L}/u.test(label)
  if (!isWhole || !isOne || host.split(/[.@]/).some(isMixed)) return { index, end, href: undefined }
  // These would begin something else in a link.
  const href = mailbox === undefined ? address : `mailto:${mailbox.replace(/[%?#]/g, encodeURIComponent)}`
  return { index: start, end, href }
}

const numbers = new RegExp(writtenNumber, 'giu')
const iban = /\b[A-Z]{2}\d{2}(?:\p{Zs}?[A-Z\d]{1,4}){2,8}/gu
/** Words after which comes the number of an account. */
const accountBefore =
  /(?<!\p{L})(?:iban|bic|blz|(?:spenden)?konto\p{L}*|kto|acc(?:oun)?t|a\/c|sort.?code|r[eé]f(?:[eéê]ren[cz]\p{L}*)?|verwendungszweck|compte|cuenta|conta|계좌\p{L}*|(?:ال)?حساب)[^\p{L}]*(?:(?:no|nr|num\p{L}*|n[uú]mero|번호)[^\p{L}]*)?$/iu
const partBefore = /[\p{Script=Latin}\p{N}_=#&?%@$€£+*\\]$|\p{N}[,:;'’]$|[\p{Script=Latin}\p{N}][/\p{Pd}]+$/u
const partAfter = /^(?:[\p{Script=Latin}\p{N}_@%€$£=&]|[,:'’]\p{N}|[/\p{Pd}]+\p{Script=Latin})/u

function numbersIn(text: string): Found[] {
  const others = text.replace(iban, ({ length }) => 'x'.repeat(length))
  return Array.from(others.matchAll(numbers)).flatMap(({ 0: found, index, groups = {} }) => {
    const { number = '' } = groups
    // The bracket is around the number, not around its first digits.
    const start = index + (/[)）\]]/.test(number) ? 0 : number.search(/[^(（[]/))
    const end = index + found.length
    const [before, after] = [others.slice(0, start), others.slice(end)]
    const isPart = accountBefore.test(before) || partBefore.test(before) || partAfter.test(after)
    const plain = plainNumber(others.slice(start, index + number.length))
    const isZip = /\b[A-Z]{2} $/.test(before) && /^\d{5}-\d{4}$/.test(plain)
    return isPart || isZip || !isPhone(plain) ? [] : { index: start, end, href: phoneLink(groups) }
  })
}

const time = '(?:[01]\\d|2[0-4])[0-5]\\d'
/** What begins as a number does, and is none. */
const noPhones = [
  // Days, months of a year, a day without its year, a year in brackets.
  /(?<!\d)\d\d?([./ -])\d\d? ?\1(?:19|20)\d\d(?!\d)/,
  /^0\d[ ./-]+(?:19|20)\d\d(?!\d)|\.[^\d]|^\((?:19|20)\d\d\)/,
  // Hours; rooms or songs, which all begin with 0; postal codes; a decimal.
  new RegExp(`^${time}(?: ?[-/] ?${time})+$`),
  /^0\d*(?:\D+0\d*)+$|^\d{3}-\d{4}$|^\d{5}-\d{3}$|^0\.\d+$/,
]

/** A number that begins with `+`, 0 or a code in brackets, or has the groups of North America, e.g. 555-123-4567. */
function isPhone(plain: string): boolean {
  const groups = plain.match(/\d+/g) ?? []
  const count = groups.join('').length
  if (count < 7 || count > 15) return false
  if (/^[([ ]*\+[( ]*[1-9]/.test(plain)) return true
  if (!/^[([ ]*0|^\(\d{2,5}\)|^(?:1[-. ])?\d{3}[-. ]\d{3}[-.]\d{4}$/.test(plain)) return false
  // Days and hours: pairs with different marks between them.
  const marks = new Set(plain.split(/\d+/).slice(2, -1))
  return !noPhones.some((other) => other.test(plain)) && (marks.size < 2 || groups.some(({ length }) => length > 2))
}
