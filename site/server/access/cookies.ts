import type { APIContext } from 'astro'
import { KNOWN_DEVICE_TTL_MS } from '#db/access/attempts.ts'
import { CHALLENGE_TTL_MS } from '#db/access/credential.ts'
import { SESSION_MAXIMUM_MS } from '#db/access/sessions.ts'

type Sent = Pick<APIContext, 'cookies' | 'locals'>

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/
const SESSION = 'rsvp-session'
/** Marks a browser in which an administrator has signed in before; it grants nothing. */
export const DEVICE = 'rsvp-device'
/** In a browser without a session, the challenge for a passkey is bound to the token in this cookie. */
export const CHALLENGE = 'rsvp-challenge'
/** By the page that a link opens. The patterns drop what mail and chat programs append to a key, e.g. a full stop. */
const links = {
  '/answer': { cookie: 'rsvp-link', key: /^[\w-]{22}/ },
  '/invitation': { cookie: 'rsvp-invitation', key: /^[\w-]{43}/ },
}
type LinkPage = keyof typeof links
/** A shared computer forgets the key of a link after 12 hours. The link itself works longer. */
const LINK_TTL_S = 12 * 60 * 60
/** Not `rsvp-link`, because browsers send this cookie to the page with the form and, if that is `/`, to all pages. */
const THANKS = 'rsvp-thanks'

/** `{ token: undefined }` if the browser sent a malformed token, undefined if it sent none. */
export function sentToken(context: Sent): { token: string | undefined } | undefined {
  const isSent = context.cookies.has(hostCookie(SESSION, context.locals))
  return isSent ? { token: keptToken(SESSION, context) } : undefined
}

export function keptToken(name: string, { cookies, locals }: Sent): string | undefined {
  const sent = cookies.get(hostCookie(name, locals))?.value ?? ''
  return TOKEN.test(sent) ? sent : undefined
}

/** The session token in a Cookie header; undefined if it is malformed or missing. */
export function tokenIn(cookies: string | undefined, origin: string): string | undefined {
  const name = hostCookie(SESSION, { origin })
  const pairs = cookies?.split(';').map((pair) => pair.trim().split('=')) ?? []
  const sent = pairs.find(([each]) => each === name)?.[1] ?? ''
  return TOKEN.test(sent) ? sent : undefined
}

export function setSessionCookies({ cookies, locals }: Sent, { token, device }: { token: string; device: string }) {
  const attributes = sessionAttributes(locals)
  cookies.set(hostCookie(SESSION, locals), token, { ...attributes, maxAge: SESSION_MAXIMUM_MS / 1000 })
  cookies.set(hostCookie(DEVICE, locals), device, { ...attributes, maxAge: KNOWN_DEVICE_TTL_MS / 1000 })
}

export function clearSessionCookie({ cookies, locals }: Sent): void {
  cookies.delete(hostCookie(SESSION, locals), sessionAttributes(locals))
}

export function setChallengeCookie({ cookies, locals }: Sent, token: string): void {
  const attributes = { ...sessionAttributes(locals), maxAge: CHALLENGE_TTL_MS / 1000 }
  cookies.set(hostCookie(CHALLENGE, locals), token, attributes)
}

/** The key that the browser keeps for a page. */
export function sentKey(page: LinkPage, { cookies, locals }: Sent): string | undefined {
  return cookies.get(pathCookie(links[page].cookie, locals))?.value
}

/** The secret of the RSVP that a form without JavaScript has just stored. */
export function sentThanksSecret({ cookies, locals }: Sent): string | undefined {
  return cookies.get(pathCookie(THANKS, locals))?.value
}

/**
 * Replies to a link with a key: stores the key in a cookie, and redirects to the page without the key. A key that is too
 * short leaves an earlier one stored; `?forget` removes it. Undefined for other addresses.
 */
export function openLink(page: LinkPage, { url, locals }: Pick<APIContext, 'url' | 'locals'>): Response | undefined {
  const isForgotten = url.searchParams.has('forget')
  const asked = isForgotten ? '' : url.searchParams.get('key')
  if (asked === null) return undefined
  const [key] = links[page].key.exec(asked) ?? []
  const isIncomplete = key === undefined && !isForgotten
  const headers = new Headers({ location: isIncomplete ? `${page}?incomplete` : page })
  const cookies = isIncomplete ? [] : linkCookies(page, key, locals)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/**
 * The cookies that keep a key in a browser, or remove it, for a page and its calls alone.
 *
 * Not `SameSite=Strict`: links are opened from webmail and chats, and browsers do not send strict cookies with the
 * redirect that follows. Lax cookies are not sent with posts from other sites either, and opening a page changes
 * nothing.
 */
export function linkCookies(page: LinkPage, key: string | undefined, locals: App.Locals, ttl = LINK_TTL_S): string[] {
  const kept = key ? `${key}; Max-Age=${ttl}` : '; Max-Age=0'
  return [page, `/api${page}`].map((path) => laxCookie(links[page].cookie, kept, path, locals))
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
