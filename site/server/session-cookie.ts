import type { APIContext } from 'astro'
import { SESSION_MAXIMUM } from '#db/access/session.ts'

type Context = Pick<APIContext, 'cookies' | 'locals'>

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/** The token that a browser sent, if it can be one; undefined when it sent none at all. */
export function sentToken({ cookies, locals }: Context): { token: string | undefined } | undefined {
  const sent = cookies.get(nameOf(locals))?.value
  if (sent === undefined) return undefined
  return { token: TOKEN.test(sent) ? sent : undefined }
}

export function setSessionCookie({ cookies, locals }: Context, token: string): void {
  cookies.set(nameOf(locals), token, { ...attributesOf(locals), maxAge: SESSION_MAXIMUM / 1000 })
}

export function clearSessionCookie({ cookies, locals }: Context): void {
  cookies.delete(nameOf(locals), attributesOf(locals))
}

/** The prefix makes browsers refuse the cookie from anywhere but this very host, over https. */
function nameOf(locals: App.Locals): string {
  return isSecure(locals) ? '__Host-rsvp-session' : 'rsvp-session'
}

function attributesOf(locals: App.Locals) {
  return { path: '/', httpOnly: true, sameSite: 'strict' as const, secure: isSecure(locals) }
}

function isSecure({ origin }: App.Locals): boolean {
  return origin.startsWith('https:')
}
