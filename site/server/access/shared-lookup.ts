import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/values/errors.ts'

/** A busy database must not delay every page. */
const TIMEOUT_MS = 300

/**
 * A lookup that requests share, and that none of them waits for longer than 300 ms. During an outage what is known
 * stays.
 * @param since when it was done last, by performance.now().
 * @returns what does it again if that is at least so many ms ago.
 */
export function sharedLookup(lookUp: () => Promise<void>, since: number): (maximumAge: number) => Promise<void> {
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
    await Promise.race([lookup, delay(TIMEOUT_MS, undefined, { ref: false })])
  }
}
