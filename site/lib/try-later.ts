const FIRST_MS = 5000
const LAST_MS = 60_000

const delays = new Map<string, number>()
const waiting = new Set<string>()

/**
 * Tries again in a while to read what a page cannot do without, each time a little later: the page only finishes what it
 * began. What has been read is never read again. Where a try is waiting already, as after Try Again was pressed, it is
 * the only one.
 */
export function tryLater(path: string, attempt: () => unknown): void {
  if (waiting.has(path)) return
  const delay = delays.get(path) ?? FIRST_MS
  delays.set(path, Math.min(2 * delay, LAST_MS))
  waiting.add(path)
  setTimeout(() => {
    waiting.delete(path)
    attempt()
  }, delay)
}
