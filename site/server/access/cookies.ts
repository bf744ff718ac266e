import type { APIContext } from 'astro'
import { KNOWN_DEVICE_TTL_MS } from '#db/access/attempts.ts'
import { CHALLENGE_TTL_MS } from '#db/access/credential.ts'
import { SESSION_MAXIMUM_MS } from '#db/access/sessions.ts'

type Sent = Pick<APIContext, 'cookies' | 'locals'>

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/
/** 128 bits in base64url. */
const SECRET = /^[\w-]{22}$/
const SESSION = 'rsvp-session'
/** Marks a browser in which an administrator has signed in before; it grants nothing. */
const DEVICE = 'rsvp-device'
const CHALLENGE = 'rsvp-challenge'
const LINK = 'rsvp-link'
/** The page of private links, and its calls: the cookie is sent to no others. */
const LINK_PATHS = ['/answer', '/api/answer']
/** So that a shared computer forgets it. The link itself works longer. */
const LINK_TTL_S = 12 * 60 * 60
const INVITATION = 'rsvp-invitation'
const INVITATION_PATHS = ['/invitation', '/api/invitation']
/** Not the cookie of the link, because this one is sent to the page with the form and, if that is `/`, to all pages. */
const THANKS = 'rsvp-thanks'

/** `{ token: undefined }` if the browser sent a malformed token, undefined if it sent none. */
export function sentToken({ cookies, locals }: Sent): { token: string | undefined } | undefined {
  const sent = cookies.get(hostCookie(SESSION, locals))?.value
  return sent === undefined ? undefined : { token: TOKEN.test(sent) ? sent : undefined }
}

/** The session token in a Cookie header; undefined if it is malformed or missing. */
export function tokenIn(cookies: string | undefined, origin: string): string | undefined {
  const name = hostCookie(SESSION, { origin })
  const pairs = cookies?.split(';').map((pair) => pair.trim().split('=')) ?? []
  const sent = pairs.find(([each]) => each === name)?.[1] ?? ''
  return TOKEN.test(sent) ? sent : undefined
}

export function deviceOf({ cookies, locals }: Sent): string | undefined {
  const sent = cookies.get(hostCookie(DEVICE, locals))?.value
  return sent !== undefined && TOKEN.test(sent) ? sent : undefined
}

export function setSessionCookies({ cookies, locals }: Sent, { token, device }: { token: string; device: string }) {
  const attributes = sessionAttributes(locals)
  cookies.set(hostCookie(SESSION, locals), token, { ...attributes, maxAge: SESSION_MAXIMUM_MS / 1000 })
  cookies.set(hostCookie(DEVICE, locals), device, { ...attributes, maxAge: KNOWN_DEVICE_TTL_MS / 1000 })
}

export function clearSessionCookie({ cookies, locals }: Sent): void {
  cookies.delete(hostCookie(SESSION, locals), sessionAttributes(locals))
}

/** What the challenge for a passkey is bound to, in a browser without a session. */
export function sentChallengeToken({ cookies, locals }: Sent): string | undefined {
  const sent = cookies.get(hostCookie(CHALLENGE, locals))?.value
  return sent !== undefined && TOKEN.test(sent) ? sent : undefined
}

export function setChallengeCookie({ cookies, locals }: Sent, token: string): void {
  const attributes = { ...sessionAttributes(locals), maxAge: CHALLENGE_TTL_MS / 1000 }
  cookies.set(hostCookie(CHALLENGE, locals), token, attributes)
}

export function sentLinkSecret({ cookies, locals }: Sent): string | undefined {
  return cookies.get(pathCookie(LINK, locals))?.value
}

/** The secret of the RSVP that a form without JavaScript has just stored. */
export function sentThanksSecret({ cookies, locals }: Sent): string | undefined {
  return cookies.get(pathCookie(THANKS, locals))?.value
}

/**
 * The cookies that keep the secret of a private link in a browser. A damaged link removes an earlier secret, so that
 * the browser does not show another RSVP instead.
 *
 * Not `SameSite=Strict`: links are opened from webmail and chats, and browsers do not send strict cookies with the
 * redirect that follows. Lax cookies are not sent with posts from other sites either, and opening a page changes
 * nothing.
 */
export function linkCookies(secret: string, locals: App.Locals, seconds = LINK_TTL_S): string[] {
  const kept = SECRET.test(secret) ? `${secret}; Max-Age=${seconds}` : '; Max-Age=0'
  return LINK_PATHS.map((path) => laxCookie(LINK, kept, path, locals))
}

export function sentInvitationKey({ cookies, locals }: Sent): string | undefined {
  return cookies.get(pathCookie(INVITATION, locals))?.value
}

/** The same for the key of an invitation link; a damaged one, or none, removes it. */
export function invitationCookies(key: string, locals: App.Locals): string[] {
  const kept = TOKEN.test(key) ? `${key}; Max-Age=${LINK_TTL_S}` : '; Max-Age=0'
  return INVITATION_PATHS.map((path) => laxCookie(INVITATION, kept, path, locals))
}

/** Lets the page with the form show the private link in its thank-you without JavaScript. */
export function thanksCookie(secret: string, page: string, locals: App.Locals, seconds: number): string {
  return laxCookie(THANKS, `${secret}; Max-Age=${seconds}`, page, locals)
}

type Site = Pick<App.Locals, 'origin'>

function laxCookie(name: string, value: string, path: string, site: Site): string {
  return `${pathCookie(name, site)}=${value}; Path=${path}; HttpOnly; SameSite=Lax${isSecure(site) ? '; Secure' : ''}`
}

function sessionAttributes(site: Site) {
  return { path: '/', httpOnly: true, sameSite: 'strict' as const, secure: isSecure(site) }
}

/** The prefix makes browsers accept the cookie only from this host, over https. */
function hostCookie(name: string, site: Site): string {
  return isSecure(site) ? `__Host-${name}` : name
}

/** The prefix makes browsers accept the cookie over https only. `__Host-` would require `Path=/`, and so every page. */
function pathCookie(name: string, site: Site): string {
  return isSecure(site) ? `__Secure-${name}` : name
}

function isSecure({ origin }: Site): boolean {
  return origin.startsWith('https:')
}
