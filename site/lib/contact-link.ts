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
