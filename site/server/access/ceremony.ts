import { isIP } from 'node:net'
import type { APIContext } from 'astro'
import type { Ceremony } from '#db/access/credential.ts'

/** What a passkey in this request is checked against. */
export function ceremonyOf({ locals }: APIContext): Ceremony {
  return { origin: locals.security.publicUrl, challengeToken: locals.token }
}

/** Why passkeys are not offered, in a sentence; undefined if they are. Browsers keep them for a name, and for https. */
export function whyNoPasskeys(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined)
    return 'Passkeys need the public address of this site, which is not set. Whoever runs it sets PUBLIC_URL.'
  const { protocol, hostname } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    return 'Passkeys need a public address with a name, not with a number. Whoever runs this site changes PUBLIC_URL.'
  if (protocol === 'https:' || hostname === 'localhost') return undefined
  return 'Passkeys need a public address that begins with https. Whoever runs this site changes PUBLIC_URL.'
}
