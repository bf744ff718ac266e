import type { Stored } from '#db/rsvp/submit.ts'

/** The address of the private link with this secret. */
export function privateLink(secret: string, origin: string): string {
  return `${origin}/answer?key=${secret}`
}

/** The reply to a new RSVP. */
export function withLink(
  { linkSecret, ...submitted }: Partial<Stored>,
  origin: string,
): { id?: number; link?: string } {
  return linkSecret === undefined ? submitted : { ...submitted, link: privateLink(linkSecret, origin) }
}
