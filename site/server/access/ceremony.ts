import { isIP } from 'node:net'
import type { APIContext } from 'astro'
import type { Ceremony } from '#db/access/credential.ts'
import { newToken } from '#db/access/tokens.ts'
import { CHALLENGE, keptToken, setChallengeCookie } from './cookies.ts'

type Sent = Pick<APIContext, 'cookies' | 'locals'>

/** What a passkey in this request is checked against. */
export function ceremonyOf({ cookies, locals }: Sent): Ceremony {
  const publicUrl = locals.publicUrl.current()
  return {
    origin: whyNoPasskeys(publicUrl) === undefined ? publicUrl : undefined,
    challengeToken: locals.token ?? keptToken(CHALLENGE, { cookies, locals }),
  }
}

/** The same for a call that asks for a challenge: a browser without a session gets a cookie that binds it. */
export function startCeremony({ cookies, locals }: Sent): Ceremony {
  const { origin, challengeToken = newToken() } = ceremonyOf({ cookies, locals })
  if (locals.token === undefined) setChallengeCookie({ cookies, locals }, challengeToken)
  return { origin, challengeToken }
}

/** Why passkeys are not offered, in a sentence; undefined if they are. Browsers keep them for a name, and for https. */
export function whyNoPasskeys(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined)
    return 'Passkeys need the public address of this site. An owner gives it in the settings.'
  const { protocol, hostname } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    return 'Passkeys need a public address with a name, not with a number. An owner changes it in the settings.'
  if (protocol === 'https:' || hostname === 'localhost') return undefined
  return 'Passkeys need a public address that begins with https. An owner changes it in the settings.'
}
