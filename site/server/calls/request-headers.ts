import type { APIContext } from 'astro'
import { UserError } from '#db/values/errors.ts'
import { sentKey } from '#site/server/access/cookies.ts'

/** 1 to 200 printable ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/

export function rsvpHeaders({ request }: APIContext) {
  const age = request.headers.get('form-age') ?? ''
  // In ms. An invalid value is no reason to refuse an RSVP.
  const formAge = /^\d{1,15}$/.test(age) ? Number(age) : undefined
  return { idempotencyKey: idempotencyKeyOf(request), formAge }
}

export function wholeEventHeaders({ request }: APIContext) {
  return { onlyIfNone: request.headers.get('if-none-match') === '*' }
}

export function changeHeaders({ request }: APIContext) {
  return { onlyIfRevision: revisionsIn(request.headers.get('if-match')) }
}

/** The secret of a private link, from the header or else from the cookie, and the week that is meant. */
export function linkOf({ request, cookies, locals, url }: APIContext) {
  const linkSecret = request.headers.get('link-key') ?? sentKey('/answer', { cookies, locals })
  return { linkSecret, week: url.searchParams.get('week') ?? undefined }
}

/** E.g. `"12"`. */
export function entityTag(revision: number): string {
  return `"${revision}"`
}

/**
 * The revisions in an If-Match; an empty list, which matches nothing, if none is ours. Proxies that compress turn a tag
 * into `W/"12"` (nginx) or `"12-gzip"` (Caddy, Apache): it is the same revision.
 */
function revisionsIn(ifMatch: string | null): number[] | 'any' | undefined {
  if (ifMatch === null) return undefined
  if (ifMatch.trim() === '*') return 'any'
  return Array.from(ifMatch.matchAll(/"(\d{1,15})(?:-\w+)?"/g), ([, revision]) => Number(revision))
}

export function privateLink(secret: string, origin: string): string {
  return `${origin}/answer?key=${secret}`
}

function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key') ?? undefined
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) {
    throw new UserError('invalid', 'An Idempotency-Key has 1 to 200 printable ASCII characters.')
  }
  return key
}
