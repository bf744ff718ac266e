import { DEFAULT_PAGE_TITLE } from '#db/values/event-content.ts'
import { t } from '#site/texts/texts.ts'

/** @param title of the page, in the language in which it is shown. */
export function shareSubject(title: string): string {
  return title === DEFAULT_PAGE_TITLE ? t('Join us for Sabbath Worship Service!') : t('Join us for {title}!', { title })
}

export function shareLink(origin: string): string {
  return `${origin}/share`
}

export function mailLink(origin: string, title: string): string {
  return `mailto:?subject=${encodeURIComponent(shareSubject(title))}&body=${encodeURIComponent(shareLink(origin))}`
}

export function whatsAppLink(origin: string, title: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${shareSubject(title)} ${shareLink(origin)}`)}`
}

/** Links to subscribe to a calendar of this site. Programs refresh a subscription, so skipped weeks disappear. */
export function subscribeLinks(origin: string, path: string): { google: string; ical: string } {
  const address = origin.replace(/^https?:/, 'webcal:') + path
  return { google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`, ical: address }
}

/** Whether the page is a share view, on which nothing can be edited. `/shared` is none: `share` is a whole segment. */
export function isShareView(pathname: string): boolean {
  return pathname.split('/').includes('share')
}

/** How many responses a share view shows (specification, section 9). */
export const LATEST_RSVPS = 5

/** How many responses the main page shows at a time. A link leads to older ones. */
export const LISTED_RSVPS = 100

/** Not an address with a user name, which looks like the host: `https://bank.example@evil.example`. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/iu.test(text)
}

/** The link of a place: itself if it is a web address, a map if it has a number, e.g. of a house, or none. */
export function placeLink(place: string): string | undefined {
  if (isWebAddress(place)) return place
  return /\d/.test(place) ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : undefined
}

/** A piece of a text, with its link if it is an email address, a telephone number or a web address. */
export type TextPart = { text: string; href?: string | undefined }

/** The address of the church's picture in one width. What is at an address never changes. */
export function pictureAddress(hash: string, width: number): string {
  return `/church/picture/${hash}-${width}.jpg`
}
