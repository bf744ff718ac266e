import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/setup.ts'
import { newToken } from '#db/access/tokens.ts'
import { getSettings } from '#db/settings.ts'
import { errorCodeOf, isOutage, UserError } from '#db/values/errors.ts'

/** A busy database must not delay every page. */
const LOOKUP_TIMEOUT_MS = 300
const ADDRESS_CACHE_MS = 1000
const PROBE_TIMEOUT_MS = 7000
const PROBE_HEADER = 'rsvp-probe'

export type Mode = ReturnType<typeof followMode>

/** Follows whether there is an administrator. A guarded site stays guarded until it restarts, even if its database changes. */
export function followMode(guardedAtStart: boolean) {
  let guarded = guardedAtStart
  const refresh = sharedLookup(lookUp, performance.now())

  async function lookUp(): Promise<void> {
    if (await isGuarded()) guarded = true
  }

  return {
    /** Whether there certainly is one. Does not read the database. */
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
    /** Whether the settings of the server give it, so that the one in the database has no effect. */
    isGiven: given !== undefined,
    current: () => given ?? stored,
    async refresh(): Promise<void> {
      if (given === undefined) await refresh(ADDRESS_CACHE_MS)
    },
    /**
     * Refuses an address that does not lead to this site: with a wrong one no browser could sign in any more. One that
     * leads on to another, as from http to https, is wrong too: browsers would send the origin of the other.
     * @throws UserError 'invalid' unless a request to it arrives at this very process.
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
    /** Whether this is the request of `assertReaches`, which any address of this site may bring. */
    takeProbe: (headers: IncomingHttpHeaders): boolean => probes.delete(String(headers[PROBE_HEADER])),
  }
}

/**
 * A lookup that requests share, and that none of them waits for longer than 300 ms. During an outage what is known
 * stays.
 * @param since when it was done last, by performance.now().
 * @returns what does it again if that is at least so many ms ago.
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
