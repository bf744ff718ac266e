import type { APIContext } from 'astro'
import { UserError } from '#db/values/errors.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { assertAllowed } from '#site/server/access/access.ts'
import { LANGUAGE_QUERY } from '#site/server/language.ts'

/** 1 to 200 printable ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
/** Only for administrators. A visitor is refused: without the filter the list would be misunderstood. */
const ADMINISTRATORS = ['deleted', 'q', 'role', 'suspicious', 'same', 'standing']
/** The page size for visitors: a list of any length would stay in memory for every slow reader. */
const PUBLIC_PAGE_MAXIMUM = 200

/** What the headers of a new RSVP say. @throws UserError 'invalid' for a malformed key. */
export function rsvpHeaders({ headers }: Request) {
  const idempotencyKey = headers.get('idempotency-key') ?? undefined
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new UserError('invalid', 'An Idempotency-Key has 1 to 200 printable ASCII characters.')
  }
  const age = headers.get('form-age') ?? ''
  // In ms. An invalid value is no reason to refuse an RSVP.
  const formAge = /^\d{1,15}$/.test(age) ? Number(age) : undefined
  return { idempotencyKey, formAge }
}

/**
 * The revisions in an If-Match, e.g. `"12"`; an empty list, which matches nothing, if none is ours. Proxies that compress
 * turn a tag into `W/"12"` (nginx) or `"12-gzip"` (Caddy, Apache): it is the same revision.
 */
export function revisionsIn({ headers }: Request): number[] | 'any' | undefined {
  const ifMatch = headers.get('if-match')
  if (ifMatch === null) return undefined
  if (ifMatch.trim() === '*') return 'any'
  return Array.from(ifMatch.matchAll(/"(\d{1,15})(?:-\w+)?"/g), ([, revision]) => Number(revision))
}

/**
 * The filter of a list of RSVPs in the address. Not by email: it would appear in every log on the way.
 * @throws UserError 'unauthenticated' if a visitor uses a filter for administrators.
 */
export function filterOf({ url, locals }: APIContext): Record<string, string> {
  const { email: _, [LANGUAGE_QUERY]: __, ...asked } = Object.fromEntries(url.searchParams)
  if (isAtLeast('clerk', locals.call.role)) return asked
  if (ADMINISTRATORS.some((name) => url.searchParams.has(name))) assertAllowed('clerk', locals.call)
  return Number(asked.limit) > PUBLIC_PAGE_MAXIMUM ? { ...asked, limit: String(PUBLIC_PAGE_MAXIMUM) } : asked
}
