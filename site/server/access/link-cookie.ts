import type { APIContext } from 'astro'

/** 128 bits in base64url. */
const SECRET = /^[\w-]{22}$/
/** Where the cookie is sent: to the page of the private link, and to its calls. */
const PATHS = ['/answer', '/api/answer']
/** As long as an administrator's session: a computer that others use forgets it. The link itself works longer. */
const TTL_S = 12 * 60 * 60

/** The secret of the private link that a browser has opened; undefined where it has opened none. */
export function sentLinkSecret({ cookies, locals }: Pick<APIContext, 'cookies' | 'locals'>): string | undefined {
  return cookies.get(nameOf(locals))?.value
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
  const secure = isSecure(locals) ? '; Secure' : ''
  return PATHS.map((path) => `${nameOf(locals)}=${kept}; Path=${path}; HttpOnly; SameSite=Lax${secure}`)
}

/** The prefix makes browsers accept the cookie over https only. `__Host-` would have it sent to every page. */
function nameOf(locals: App.Locals): string {
  return isSecure(locals) ? '__Secure-rsvp-link' : 'rsvp-link'
}

function isSecure({ origin }: App.Locals): boolean {
  return origin.startsWith('https:')
}
