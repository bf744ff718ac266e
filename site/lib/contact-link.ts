/** Where a contact leads: an e-mail address to a mail, a phone number to a call, any other text to nothing. */
export function contactLink(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(contact))
    return `mailto:${encodeURIComponent(contact).replace('%40', '@')}`
  if (/^(?=(?:\D*\d){5})\+?[\d\s()./-]+$/.test(contact)) return `tel:${contact.replace(/[^\d+]/g, '')}`
  return undefined
}
