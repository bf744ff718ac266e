import { beforeAll, describe } from 'vitest'
import { type Site, testSite } from './fixtures.ts'
import { guardedSite, signIn } from './guarded-fixtures.ts'

/** Runs the tests twice: on a site as it comes, and on one with a password, where every call is an administrator's. */
export function describeInBothModes(
  unit: string,
  tests: (site: () => Site, guarded: boolean) => void,
  variables: Record<string, string> = {},
): void {
  describe(`${unit}, in open mode`, () => tests(testSite(variables), false))
  describe(`${unit}, in guarded mode`, () => tests(administeredSite(variables), true))
}

/** A guarded site whose every call is an administrator's. */
export function administeredSite(variables: Record<string, string> = {}): () => Site {
  const started = guardedSite({ RSVP_POST_LIMIT: 'off', ...variables })
  let cookie: string | undefined
  beforeAll(async () => {
    cookie = await signIn(started())
  })
  return () => ({ ...started(), headers: { ...(cookie !== undefined && { cookie }) } })
}

/** The same site for a visitor who has not signed in. */
export function asVisitor({ headers: _, ...site }: Site): Site {
  return site
}
