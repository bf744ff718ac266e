import { t } from '#site/texts/texts.ts'

export function shareSubject(): string {
  return t('Join us for Sabbath Worship Service!')
}

export function shareLink(origin: string): string {
  return `${origin}/share`
}

/** A link to a mail draft with the subject, and the share link in its body. */
export function mailLink(origin: string): string {
  return `mailto:?subject=${encodeURIComponent(shareSubject())}&body=${encodeURIComponent(shareLink(origin))}`
}

/** A link to a WhatsApp message with the subject and the share link. */
export function whatsAppLink(origin: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${shareSubject()} ${shareLink(origin)}`)}`
}

/** Links that subscribe to a calendar of this site: programs then ask again by themselves, and skipped weeks disappear. */
export function subscribeLinks(origin: string, path: string): { google: string; ical: string } {
  const address = origin.replace(/^https?:/, 'webcal:') + path
  return { google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`, ical: address }
}
