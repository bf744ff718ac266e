import { millisecondsInMinute } from 'date-fns/constants'

/** Made from stored data; kept only if it is whole. */
type Made = { isWhole: boolean }

export type Shelf<Kept extends Made> = ReturnType<typeof openShelf<Kept>>

/**
 * Shares one value among many callers. `make` creates it from the stored data, one call at a time. Nothing is kept for
 * longer than a minute, so that erased data does not stay in memory while no one asks.
 * @param versionNow returns another value after every write; undefined while unknown.
 */
export function openShelf<Kept extends Made>(make: () => Promise<Kept>, versionNow: () => string | undefined) {
  let kept: { version: string; made: Kept } | undefined
  let running: { version: string | undefined; made: Promise<Kept> } | undefined
  let expiry: NodeJS.Timeout | undefined
  /** What callers after a write wait for while an older version is still being made. */
  let next: Promise<Kept> | undefined

  function start(): Promise<Kept> {
    next = undefined
    const version = versionNow()
    const made = makeOf(version)
    const end = () => {
      running = undefined
    }
    // Registered first, so that `next` finds nothing running.
    made.then(end, end)
    running = { version, made }
    return made
  }

  async function makeOf(version: string | undefined): Promise<Kept> {
    const made = await make()
    // A commit is visible before it is complete, and may still fail: then the next one has the same version.
    const isKnown = version !== undefined && version === versionNow()
    kept = made.isWhole && isKnown ? { version, made } : undefined
    clearTimeout(expiry)
    expiry = setTimeout(() => {
      kept = undefined
    }, millisecondsInMinute).unref()
    return made
  }

  /** The kept value, if it is of this version. */
  function current(version: string): Kept | undefined {
    return kept?.version === version ? kept.made : undefined
  }

  /** The same, or the next one to be made. Never one begun from older data. */
  async function take(version: string): Promise<Kept> {
    const found = current(version)
    if (found !== undefined) return found
    if (running === undefined) return next ?? start()
    if (running.version === version) return running.made
    next ??= running.made.then(start, start)
    return next
  }

  return { current, take }
}
