import { millisecondsInMinute } from 'date-fns/constants'

/**
 * Shares one value among many callers. `make` creates it from the stored data, one call at a time; it is kept only if
 * it is whole, and for a minute at most, so that erased data does not stay in memory while no one asks.
 * @param versionNow returns another value after every write; undefined while unknown.
 */
export function openShelf<Kept extends { isWhole: boolean }>(
  make: () => Promise<Kept>,
  versionNow: () => string | undefined,
) {
  let kept: { version: string; made: Kept } | undefined
  let running: { version: string | undefined; made: Promise<Kept> } | undefined
  let expiry: NodeJS.Timeout | undefined
  /** What callers after a write wait for while an older version is still being made. */
  let next: Promise<Kept> | undefined

  function start(): Promise<Kept> {
    next = undefined
    const version = versionNow()
    running = { version, made: makeOf(version) }
    return running.made
  }

  async function makeOf(version: string | undefined): Promise<Kept> {
    try {
      const made = await make()
      // A commit is visible before it is complete, and may still fail: then the next one has the same version.
      const isKnown = version !== undefined && version === versionNow()
      kept = made.isWhole && isKnown ? { version, made } : undefined
      clearTimeout(expiry)
      expiry = setTimeout(() => {
        kept = undefined
      }, millisecondsInMinute).unref()
      return made
    } finally {
      running = undefined
    }
  }

  return {
    /**
     * The value of the current version, or the next one to be made; never one begun from older data. Undefined while
     * the version is unknown.
     */
    take(): Promise<Kept> | undefined {
      const version = versionNow()
      if (version === undefined) return undefined
      if (kept?.version === version) return Promise.resolve(kept.made)
      if (running === undefined) return next ?? start()
      if (running.version === version) return running.made
      next ??= running.made.then(start, start)
      return next
    },
  }
}
