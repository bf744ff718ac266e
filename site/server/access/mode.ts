import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/operations.ts'
import { isOutage } from '#db/errors.ts'

/** How long to wait for the mode where little depends on it: a busy database must not delay every page. */
const LOOKUP_TIMEOUT_MS = 300

export type Mode = ReturnType<typeof followMode>

/**
 * Follows whether a password is set, which can happen at any time from a terminal. A guarded site stays guarded until it
 * restarts, whatever becomes of its database.
 */
export function followMode(guardedAtStart: boolean) {
  let guarded = guardedAtStart
  let lookedUpAt = performance.now()
  let lookup: Promise<void> | undefined

  async function lookUp(): Promise<void> {
    const started = performance.now()
    if (await isGuarded({ now: new Date(), administrator: false, actor: 'site' })) guarded = true
    lookedUpAt = started
  }

  async function tryToLookUp(): Promise<void> {
    try {
      await lookUp()
    } catch (error) {
      if (!isOutage(error)) throw error
    } finally {
      lookup = undefined
    }
  }

  return {
    /** Whether it is certain that a password is set. Asks nothing. */
    isKnownGuarded: () => guarded,
    /** Whether the site is open, as known at most so many milliseconds ago, or as found out in time. */
    async isOpen(maximumAge: number): Promise<boolean> {
      if (!guarded && performance.now() - lookedUpAt >= maximumAge) {
        lookup ??= tryToLookUp()
        await Promise.race([lookup, delay(LOOKUP_TIMEOUT_MS, undefined, { ref: false })])
      }
      return !guarded
    },
    /**
     * Whether the site is open at this very moment: for calls that give access to personal data.
     * @throws UserError 'busy' or 'unavailable' when the database cannot tell.
     */
    async isStillOpen(): Promise<boolean> {
      // Never a lookup already under way, which may have begun before the password was set.
      if (!guarded) await lookUp()
      return !guarded
    },
  }
}
