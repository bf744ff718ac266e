import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/operations.ts'
import { isOutage } from '#db/errors.ts'

/** How long an answer is waited for where little depends on it, in ms: a busy database must not delay every page. */
const PATIENCE = 300

const site = { administrator: false, actor: 'site' }

export type Mode = {
  /** Whether nobody has to sign in, as far as it was known so many ms ago, or is known in time. */
  isOpen(maximumAge: number): Promise<boolean>
  /**
   * Whether nobody has to sign in at this moment, wherever somebody's data depends on it.
   * @throws UserError 'busy' or 'unavailable' when that cannot be known.
   */
  isStillOpen(): Promise<boolean>
}

/**
 * Follows whether a password is set: it can be at any time, from a terminal. Once the site is guarded it stays so until
 * it starts again, whatever becomes of its database.
 */
export function followMode(guardedAtStart: boolean): Mode {
  let guarded = guardedAtStart
  let askedAt = performance.now()
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    const started = performance.now()
    if (await isGuarded(undefined, { ...site, now: new Date() })) guarded = true
    askedAt = started
  }

  async function askIfPossible(): Promise<void> {
    try {
      await ask()
    } catch (error) {
      if (!isOutage(error)) throw error
    } finally {
      asking = undefined
    }
  }

  return {
    async isOpen(maximumAge) {
      if (!guarded && performance.now() - askedAt >= maximumAge) {
        asking ??= askIfPossible()
        await Promise.race([asking, delay(PATIENCE, undefined, { ref: false })])
      }
      return !guarded
    },
    async isStillOpen() {
      // Not the question of somebody else, which may have been asked before the password was set.
      if (!guarded) await ask()
      return !guarded
    },
  }
}
