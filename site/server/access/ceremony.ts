import type { APIContext } from 'astro'
import type { Ceremony } from '#db/access/credential.ts'

/** What a passkey in this request is checked against. */
export function ceremonyOf({ locals }: APIContext): Ceremony {
  return { origin: locals.security.publicUrl, challengeToken: locals.token }
}
