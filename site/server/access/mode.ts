import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/setup.ts'
import { isOutage } from '#db/errors.ts'

/** For replies on which the mode has little effect: a busy database must not delay every page. */
const LOOKUP_TIMEOUT_MS = 300

export type Mode = ReturnType<typeof followMode>

/** Follows whether there is an administrator. A guarded site stays guarded until it restarts, even if its database changes. */
export function followMode(guardedAtStart: boolean) {
  let guarded = guardedAtStart
  let lookedUpAt = performance.now()
  let lookup: Promise<void> | undefined

  async function lookUp(): Promise<void> {
    const started = performance.now()
    if (await isGuarded({ now: new Date(), role: 'visitor', actor: 'site' })) guarded = true
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
    /** Whether there certainly is one. Does not read the database. */
    isKnownGuarded: () => guarded,
    /** Whether the site is open. A result older than `maximumAge` ms is looked up again, unless that takes too long. */
    async isOpen(maximumAge: number): Promise<boolean> {
      if (!guarded && performance.now() - lookedUpAt >= maximumAge) {
        lookup ??= tryToLookUp()
        await Promise.race([lookup, delay(LOOKUP_TIMEOUT_MS, undefined, { ref: false })])
      }
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
