import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

/** Sends an RSVP; returns its private link as a path, and the secret in it. */
export async function sendLinked(
  site: Site,
  changes: Record<string, unknown> = {},
): Promise<{ path: string; key: string }> {
  const { link } = JSON.parse((await ask(site, 'POST /api/rsvp', { json: testRsvp(changes) })).body)
  const { pathname, search, searchParams } = new URL(link)
  return { path: pathname + search, key: searchParams.get('key') ?? '' }
}

/** The cookies that a reply sets, as a browser sends those for this path back. */
export function cookieFor(path: string, { headers }: Reply): string {
  const set = headers['set-cookie']?.filter((cookie) => cookie.includes(`Path=${path};`)) ?? []
  return set.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}
