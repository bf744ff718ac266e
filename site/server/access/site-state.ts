import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/setup.ts'
import { newToken } from '#db/access/tokens.ts'
import { getSettings } from '#db/settings.ts'
import { errorCodeOf, isOutage, UserError } from '#db/values/errors.ts'

/** How old the mode may be for the guard. Calls whose result depends on it look it up again. */
export const MODE_CACHE_MS = 1000
/** A busy database must not delay every page. */
const LOOKUP_TIMEOUT_MS = 300
const ADDRESS_CACHE_MS = 1000
const PROBE_TIMEOUT_MS = 7000
const PROBE_HEADER = 'rsvp-probe'

export type Mode = ReturnType<typeof followMode>

/** Follows whether the site has an administrator. Once guarded, it stays guarded until it restarts. */
export function followMode(guardedAtStart: boolean) {
  let guarded = guardedAtStart
  const refresh = sharedLookup(lookUp, performance.now())

  async function lookUp(): Promise<void> {
    if (await isGuarded()) guarded = true
  }

  return {
    /** Whether the site was guarded at the last lookup. Does not read the database. */
    isKnownGuarded: () => guarded,
    /** Whether the site is open. A result older than `maximumAge` ms is looked up again, unless that takes too long. */
    async isOpen(maximumAge: number): Promise<boolean> {
      if (!guarded) await refresh(maximumAge)
      return !guarded
    },
    /**
     * Whether the site is open right now: for calls that give access to personal data.
     * @throws UserError 'busy' or 'unavailable' if the database cannot tell.
     */
    async isStillOpen(): Promise<boolean> {
      // Not a lookup in progress, which may have begun before the site was guarded.
      if (!guarded) await lookUp()
      return !guarded
    },
  }
}

export type PublicUrl = ReturnType<typeof followPublicUrl>

/**
 * Follows the address that people use: PUBLIC_URL or, without it, the one in the settings.
 * @param given PUBLIC_URL
 */
export function followPublicUrl(given: string | undefined) {
  let stored: string | undefined
  const probes = new Set<string>()
  const refresh = sharedLookup(async () => {
    stored = (await getSettings()).publicUrl ?? undefined
  }, Number.NEGATIVE_INFINITY)

  return {
    /** Whether PUBLIC_URL is set, so that the address in the database has no effect. */
    isGiven: given !== undefined,
    current: () => given ?? stored,
    async refresh(): Promise<void> {
      if (given === undefined) await refresh(ADDRESS_CACHE_MS)
    },
    /**
     * Refuses an address that does not lead to this site, because with a wrong one no browser could sign in any more. An
     * address that redirects, e.g. from http to https, is wrong too: browsers would send the origin that it leads to.
     * @throws UserError 'invalid' unless a request to the address arrives at this process.
     */
    async assertReaches(origin: string): Promise<void> {
      const probe = newToken()
      probes.add(probe)
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
      const options = { headers: { [PROBE_HEADER]: probe }, redirect: 'manual', signal } as const
      const failure = await fetch(origin, options).then(
        (reply) => reply.body?.cancel(),
        (error) => (error instanceof Error ? errorCodeOf(error.cause ?? error) : ''),
      )
      if (!probes.delete(probe)) return
      const reason = failure || 'another site replied'
      throw new UserError('address-elsewhere', { address: origin, reason }).at('publicUrl')
    },
    /** Whether these are the headers of the request that `assertReaches` sends. Its Host may be any. */
    takeProbe: (headers: IncomingHttpHeaders): boolean => probes.delete(String(headers[PROBE_HEADER])),
  }
}

/**
 * Shares a lookup among requests, none of which waits for it longer than 300 ms. During an outage it changes nothing.
 * @param since when the last lookup began, by performance.now().
 * @returns a function that looks up again if the last lookup began at least `maximumAge` ms ago.
 */
function sharedLookup(lookUp: () => Promise<void>, since: number): (maximumAge: number) => Promise<void> {
  let lookedUpAt = since
  let lookup: Promise<void> | undefined

  async function tryToLookUp(): Promise<void> {
    const started = performance.now()
    try {
      await lookUp()
      lookedUpAt = started
    } catch (error) {
      if (!isOutage(error)) throw error
    } finally {
      lookup = undefined
    }
  }

  return async (maximumAge) => {
    if (performance.now() - lookedUpAt < maximumAge) return
    lookup ??= tryToLookUp()
    await Promise.race([lookup, delay(LOOKUP_TIMEOUT_MS, undefined, { ref: false })])
  }
}
