import { millisecondsInMinute } from 'date-fns/constants'

/**
 * Shares one value among many callers. `make` creates it from the stored data, one call at a time. A complete value is
 * kept for a minute at most, so that erased data does not stay in memory.
 * @param versionNow returns another value after every write; undefined while unknown.
 */
export function shareValue<Kept extends { isComplete: boolean }>(
  make: () => Promise<Kept>,
  versionNow: () => string | undefined,
) {
  let kept: { version: string; value: Kept } | undefined
  let running: { version: string | undefined; value: Promise<Kept> } | undefined
  let expiry: NodeJS.Timeout | undefined
  /** Callers after a write wait for this value while an older one is still being made. */
  let next: Promise<Kept> | undefined

  function start(): Promise<Kept> {
    next = undefined
    const version = versionNow()
    running = { version, value: makeValue(version) }
    return running.value
  }

  async function makeValue(version: string | undefined): Promise<Kept> {
    try {
      const value = await make()
      // A commit is visible before it is complete. If it fails, the next commit has the same version.
      const isCurrent = version !== undefined && version === versionNow()
      kept = value.isComplete && isCurrent ? { version, value } : undefined
      clearTimeout(expiry)
      expiry = setTimeout(() => {
        kept = undefined
      }, millisecondsInMinute).unref()
      return value
    } finally {
      running = undefined
    }
  }

  return {
    /** The value of the current version, never one made from older data. Undefined while the version is unknown. */
    get(): Promise<Kept> | undefined {
      const version = versionNow()
      if (version === undefined) return undefined
      if (kept?.version === version) return Promise.resolve(kept.value)
      if (running === undefined) return next ?? start()
      if (running.version === version) return running.value
      next ??= running.value.then(start, start)
      return next
    },
  }
}
