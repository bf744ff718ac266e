import { millisecondsInMinute } from 'date-fns/constants'

/** Something that is made of stored data. Kept only if it is whole. */
type Made = { isWhole: boolean }

export type Shelf<Kept extends Made> = ReturnType<typeof openShelf<Kept>>

/**
 * Holds one thing that many want: the one that was made last, and those that are being made, one at a time. Nothing is held
 * for longer than a minute: what was erased is not to stay in memory because no one asks any more.
 * @param make makes it of the data of this moment.
 * @param versionNow differs once the data do; undefined while that cannot be told.
 */
export function openShelf<Kept extends Made>(make: () => Promise<Kept>, versionNow: () => string | undefined) {
  let kept: { version: string; made: Kept } | undefined
  let running: { version: string | undefined; made: Promise<Kept> } | undefined
  let expiry: NodeJS.Timeout | undefined
  /** What those wait for who came after a write, while something is made that lacks it. */
  let next: Promise<Kept> | undefined

  function start(): Promise<Kept> {
    next = undefined
    const version = versionNow()
    const made = makeOf(version)
    const end = () => {
      running = undefined
    }
    // Registered before anything can wait for it, so that what is next finds nothing running.
    made.then(end, end)
    running = { version, made }
    return made
  }

  async function makeOf(version: string | undefined): Promise<Kept> {
    const made = await make()
    // A commit is seen before it is done, and may still be undone: then the next one has the same version.
    const isKnown = version !== undefined && version === versionNow()
    kept = made.isWhole && isKnown ? { version, made } : undefined
    clearTimeout(expiry)
    expiry = setTimeout(() => {
      kept = undefined
    }, millisecondsInMinute).unref()
    return made
  }

  /** What was made of the data as it is now, if there is such a thing. */
  function current(version: string): Kept | undefined {
    return kept?.version === version ? kept.made : undefined
  }

  /** The same, or what is made next. Never what began to be made of earlier data than there is now. */
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
