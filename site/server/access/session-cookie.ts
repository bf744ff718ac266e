import type { APIContext } from 'astro'
import { KNOWN_DEVICE_TTL_MS } from '#db/access/limits/attempts.ts'
import { SESSION_MAXIMUM_MS } from '#db/access/sessions.ts'

type Context = Pick<APIContext, 'cookies' | 'locals'>

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/
const SESSION = 'rsvp-session'
/** Marks a browser in which an administrator has signed in before; it grants nothing. */
const DEVICE = 'rsvp-device'

/** The session token that a browser sent: `{ token: undefined }` when malformed, undefined when it sent none. */
export function sentToken({ cookies, locals }: Context): { token: string | undefined } | undefined {
  const sent = cookies.get(nameOf(SESSION, locals))?.value
  return sent === undefined ? undefined : { token: TOKEN.test(sent) ? sent : undefined }
}

/** The same of a request that Astro has not seen yet. @param origin of the site. */
export function tokenIn(cookies: string | undefined, origin: string): string | undefined {
  const name = nameOf(SESSION, { origin })
  const pairs = cookies?.split(';').map((pair) => pair.trim().split('=')) ?? []
  const sent = pairs.find(([each]) => each === name)?.[1] ?? ''
  return TOKEN.test(sent) ? sent : undefined
}

/** The device mark of a browser in which an administrator has signed in before. */
export function deviceOf({ cookies, locals }: Context): string | undefined {
  const sent = cookies.get(nameOf(DEVICE, locals))?.value
  return sent !== undefined && TOKEN.test(sent) ? sent : undefined
}

export function setSessionCookies({ cookies, locals }: Context, { token, device }: { token: string; device: string }) {
  const attributes = attributesOf(locals)
  cookies.set(nameOf(SESSION, locals), token, { ...attributes, maxAge: SESSION_MAXIMUM_MS / 1000 })
  cookies.set(nameOf(DEVICE, locals), device, { ...attributes, maxAge: KNOWN_DEVICE_TTL_MS / 1000 })
}

export function clearSessionCookie({ cookies, locals }: Context): void {
  cookies.delete(nameOf(SESSION, locals), attributesOf(locals))
}

/** The prefix makes browsers accept the cookie from this very host only, over https. */
function nameOf(name: string, locals: Pick<App.Locals, 'origin'>): string {
  return isSecure(locals) ? `__Host-${name}` : name
}

function attributesOf(locals: App.Locals) {
  return { path: '/', httpOnly: true, sameSite: 'strict' as const, secure: isSecure(locals) }
}

function isSecure({ origin }: Pick<App.Locals, 'origin'>): boolean {
  return origin.startsWith('https:')
}
