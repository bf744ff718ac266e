import { isIP } from 'node:net'
import type { APIContext } from 'astro'
import type { Ceremony } from '#db/access/credential.ts'
import { newToken } from '#db/access/tokens.ts'
import { UserError } from '#db/values/errors.ts'
import { problemOf } from '#site/server/problem.ts'
import { CHALLENGE, DEVICE, keptToken, setChallengeCookie } from './cookies.ts'

type Sent = Pick<APIContext, 'cookies' | 'locals'>

/** The first that fits: browsers also name older ones, so that no page turns them away. */
const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** What a request says about the browser that someone signs in with. */
export function browserOf(context: APIContext) {
  const browser = browserName(context.request.headers.get('user-agent') ?? '')
  return { token: context.locals.token, device: keptToken(DEVICE, context), browser, ceremony: ceremonyOf(context) }
}

/** The password in a form, or the passkey that the script of the page has put into it as JSON. */
export function readCredential(fields: URLSearchParams) {
  const passkey = fields.get('passkey')
  if (passkey === null) return { password: fields.get('password') ?? '' }
  return { passkey: parseJson(passkey), passkeyName: fields.get('passkeyName') }
}

/** Redirects to the next page after `act`, or shows the form with its errors and everything typed but the password. */
export async function goOrShow(
  context: APIContext,
  fields: URLSearchParams,
  page: { address: string; next: string },
  act: () => Promise<unknown>,
): Promise<Response> {
  try {
    await act()
    return context.redirect(page.next, 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { status, headers, body } = problemOf(error)
    const { password: _, ...typed } = Object.fromEntries(fields)
    context.locals.returnedSignIn = { status, notice: body.detail, errors: body.errors, typed }
    const cookie = context.request.headers.get('cookie') ?? ''
    const shown = await context.rewrite(new Request(new URL(page.address, context.url), { headers: { cookie } }))
    const retryAfter = headers['retry-after']
    if (retryAfter !== undefined) shown.headers.set('retry-after', retryAfter)
    return shown
  }
}

/** What a passkey in this request is checked against. */
export function ceremonyOf({ cookies, locals }: Sent): Ceremony {
  const publicUrl = locals.publicUrl.current()
  return {
    origin: whyNoPasskeys(publicUrl) === undefined ? publicUrl : undefined,
    challengeToken: locals.token ?? keptToken(CHALLENGE, { cookies, locals }),
  }
}

/** The ceremony of a call that asks for a challenge. Without a session, a cookie binds the challenge. */
export function startCeremony({ cookies, locals }: Sent): Ceremony {
  const { origin, challengeToken = newToken() } = ceremonyOf({ cookies, locals })
  if (locals.token === undefined) setChallengeCookie({ cookies, locals }, challengeToken)
  return { origin, challengeToken }
}

/** Why passkeys are not offered, in a sentence; undefined if they are. Browsers require https and a host name. */
export function whyNoPasskeys(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return 'Passkeys need the public address of this site.'
  const { protocol, hostname } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    return 'Passkeys need a public address with a name, not with a number.'
  if (protocol === 'https:' || hostname === 'localhost') return undefined
  return 'Passkeys need a public address that begins with https.'
}

/** The browser and its system as people know them, e.g. `Firefox, Android`; empty for a program. */
export function browserName(userAgent: string): string {
  const named = [browsers, systems].flatMap((known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return named.join(', ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
