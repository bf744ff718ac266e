const SUBJECT = 'Join us for Sabbath Worship Service!'

export function shareLink(origin: string): string {
  return `${origin}/share`
}

/** A link to a mail draft with the subject, and the share link in its body. */
export function mailLink(origin: string): string {
  return `mailto:?subject=${encodeURIComponent(SUBJECT)}&body=${encodeURIComponent(shareLink(origin))}`
}

/** A link to a WhatsApp message with the subject and the share link. */
export function whatsAppLink(origin: string): string {
  return `https://wa.me/?text=${encodeURIComponent(`${SUBJECT} ${shareLink(origin)}`)}`
}
