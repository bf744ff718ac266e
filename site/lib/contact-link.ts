/** A piece of a text, and where it leads: an email address to a mail, a phone number to a call. */
type ContactPart = { text: string; href: string | undefined }

const contact = /([^\s@,;:<>()]+@[^\s@.,;<>()]+(?:\.[^\s@.,;<>()]+)+)|(\+?\(?\d[\d\s()./-]*\d)/g
/** A shorter number within a text is a postal code or a time. */
const DIGITS_IN_TEXT = 7
const DIGITS_ALONE = 5

/** What a church says of whom to ask, in pieces: e.g. `Ana, 555-0100, or ana@church.example` can be tapped at two places. */
export function contactParts(text: string): ContactPart[] {
  const parts: ContactPart[] = []
  let end = 0
  for (const { 0: found, 1: email, index } of text.matchAll(contact)) {
    const href = email === undefined ? callTo(found, found === text) : mailTo(email)
    if (href === undefined) continue
    if (index > end) parts.push({ text: text.slice(end, index), href: undefined })
    parts.push({ text: found, href })
    end = index + found.length
  }
  return end < text.length ? [...parts, { text: text.slice(end), href: undefined }] : parts
}

function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}

function callTo(number: string, isAlone: boolean): string | undefined {
  const digits = number.replace(/[^\d+]/g, '')
  return digits.length < (isAlone ? DIGITS_ALONE : DIGITS_IN_TEXT) ? undefined : `tel:${digits}`
}
