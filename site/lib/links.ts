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

/** Links to subscribe to a calendar of this site: programs then refresh it, so that skipped weeks disappear. */
export function subscribeLinks(origin: string, path: string): { google: string; ical: string } {
  const address = origin.replace(/^https?:/, 'webcal:') + path
  return { google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`, ical: address }
}

/** Whether the page can edit nothing. `share` has to be a whole segment of the path, so `/shared` is no share view. */
export function isShareView(pathname: string): boolean {
  return pathname.split('/').includes('share')
}

/** How many responses a share view shows (specification, section 9). */
export const LATEST_RSVPS = 5

/** How many the main page shows at a time; a link leads to the older ones. */
export const LISTED_RSVPS = 100

/** Without a name before its host, which would look like the host: `https://bank.example@evil.example`. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/iu.test(text)
}

/** A web address is its own link; a place with a number, e.g. of a house, is linked to a map; others have no link. */
export function placeLink(place: string): string | undefined {
  if (isWebAddress(place)) return place
  return /\d/.test(place) ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}` : undefined
}

/** A piece of a text, perhaps with a link to write, to call or to a page. */
export type TextPart = { text: string; href?: string | undefined }

/** The picture of the church in one width. The content of an address never changes. */
export function pictureAddress(hash: string, width: number): string {
  return `/church/picture/${hash}-${width}.jpg`
}
