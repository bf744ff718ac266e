import type { APIContext } from 'astro'

/** 128 bits in base64url. */
const SECRET = /^[\w-]{22}$/
/** Where the cookie is sent: to the page of the private link, and to its calls. */
const PATHS = ['/answer', '/api/answer']
const LINK = 'rsvp-link'
/** Of its own, because it is sent to the page with the form and, where that is `/`, to all: the other one never is. */
const THANKS = 'rsvp-thanks'
/** As long as an administrator's session: a computer that others use forgets it. The link itself works longer. */
const TTL_S = 12 * 60 * 60

type Sent = Pick<APIContext, 'cookies' | 'locals'>

/** The secret of the private link that a browser has opened; undefined where it has opened none. */
export function sentLinkSecret({ cookies, locals }: Sent): string | undefined {
  return cookies.get(nameOf(locals, LINK))?.value
}

/** The secret of the RSVP that a form without JavaScript has just stored. */
export function sentThanksSecret({ cookies, locals }: Sent): string | undefined {
  return cookies.get(nameOf(locals, THANKS))?.value
}

/**
 * The cookies that keep the secret of a private link in a browser. A link that was cut or mistyped takes an earlier one
 * away: the browser must not show another RSVP instead.
 *
 * Not strict: links are opened from mail on the web and from chats, and browsers send no strict cookie along with the
 * redirect that follows. With what other sites post they send no lax one either, and opening a page changes nothing.
 */
export function linkCookies(secret: string, locals: App.Locals, seconds = TTL_S): string[] {
  const kept = SECRET.test(secret) ? `${secret}; Max-Age=${seconds}` : '; Max-Age=0'
  return PATHS.map((path) => cookie(LINK, kept, path, locals))
}

/** The cookie by which the page with the form shows the private link in its thank-you, which has no JavaScript to keep it. */
export function thanksCookie(secret: string, page: string, locals: App.Locals, seconds: number): string {
  return cookie(THANKS, `${secret}; Max-Age=${seconds}`, page, locals)
}

function cookie(name: string, value: string, path: string, locals: App.Locals): string {
  return `${nameOf(locals, name)}=${value}; Path=${path}; HttpOnly; SameSite=Lax${isSecure(locals) ? '; Secure' : ''}`
}

/** The prefix makes browsers accept the cookie over https only. `__Host-` would have it sent to every page. */
function nameOf(locals: App.Locals, name: string): string {
  return isSecure(locals) ? `__Secure-${name}` : name
}

function isSecure({ origin }: App.Locals): boolean {
  return origin.startsWith('https:')
}
