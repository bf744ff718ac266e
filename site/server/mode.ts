import { setTimeout as delay } from 'node:timers/promises'
import { isGuarded } from '#db/access/operations.ts'
import { isOutage } from '#db/errors.ts'

/** How long an answer is waited for, in ms: a database that is busy must not keep every page waiting. */
const PATIENCE = 300

const site = { administrator: false, actor: 'site' }

export type Mode = {
  /** Whether nobody has to sign in, as far as it was known so many ms ago. */
  isOpen(maximumAge: number): Promise<boolean>
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
    try {
      guarded = (await isGuarded(undefined, { ...site, now: new Date() })) || guarded
      askedAt = started
    } catch (error) {
      if (!isOutage(error)) throw error
    } finally {
      asking = undefined
    }
  }

  return {
    async isOpen(maximumAge) {
      if (!guarded && performance.now() - askedAt >= maximumAge) {
        asking ??= ask()
        await Promise.race([asking, delay(PATIENCE, undefined, { ref: false })])
      }
      return !guarded
    },
  }
}
