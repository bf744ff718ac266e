import type { IncomingHttpHeaders } from 'node:http'
import { newToken } from '#db/access/tokens.ts'
import { getSettings } from '#db/settings.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { sharedLookup } from './shared-lookup.ts'

const CACHE_MS = 1000
const PROBE_TIMEOUT_MS = 7000
const PROBE_HEADER = 'rsvp-probe'

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
      if (given === undefined) await refresh(CACHE_MS)
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
