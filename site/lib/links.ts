import { t } from '#site/texts/texts.ts'

export function shareSubject(): string {
  return t('Join us for Sabbath Worship Service!')
}

export function shareLink(origin: string): string {
  return `${origin}/share`
}

export function mailLink(origin: string): string {
  return `mailto:?subject=${encodeURIComponent(shareSubject())}&body=${encodeURIComponent(shareLink(origin))}`
}

export function whatsAppLink(origin: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${shareSubject()} ${shareLink(origin)}`)}`
}

/** Links that subscribe to a calendar of this site: programs then ask again by themselves, and skipped weeks disappear. */
export function subscribeLinks(origin: string, path: string): { google: string; ical: string } {
  const address = origin.replace(/^https?:/, 'webcal:') + path
  return { google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`, ical: address }
}

/** Whether nothing can be edited: on a share view, a whole segment of the path is `share`, so `/shared` is not one. */
export function isShareView(pathname: string): boolean {
  return pathname.split('/').includes('share')
}

/** How many responses a share view shows (specification, section 9). */
export const LATEST_RSVPS = 5

/** How many the main page shows at a time; a link leads to the older ones. */
export const LISTED_RSVPS = 100

/** Where a place leads: an address on the web to itself, one with a number, e.g. of a house, to a map, other words to nothing. */
export function placeLink(place: string): string | undefined {
  if (/^https?:\/\/[^\s/]+\S*$/i.test(place)) return place
  return /\d/.test(place) ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : undefined
}

/** An email address, or a number of at least six digits: a shorter one is a postal code or a time. */
const contact = /([\w.+'-]+@[\w.-]+\.\w+|[+(]?\d(?:[\s()./-]*\d){5,})/

/**
 * What a church says of whom to ask, in pieces, of which some open a mail or a call: in `Ana, 555-0100, or
 * ana@church.example` two can be tapped.
 */
export function contactParts(text: string): { text: string; href: string | undefined }[] {
  return text.split(contact).map((part, place) => {
    const link = part.includes('@') ? `mailto:${part}` : `tel:${part.replace(/[^\d+]/g, '')}`
    // Every other piece is what the expression found.
    return { text: part, href: place % 2 ? link : undefined }
  })
}

/** Of one size of the church's picture. What is there never changes. */
export function pictureAddress(hash: string, width: number): string {
  return `/church/picture/${hash}-${width}.jpg`
}
