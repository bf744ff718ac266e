const FIRST_DELAY_MS = 5000
const LONGEST_DELAY_MS = 60_000

const delays = new Map<string, number>()
const scheduled = new Set<string>()

/**
 * Schedules another attempt to load what a page needs, with a longer delay each time, until it has loaded. If an attempt
 * is already scheduled, e.g. after Try Again was pressed, no other one is.
 */
export function tryLater(path: string, attempt: () => unknown): void {
  if (scheduled.has(path)) return
  const delay = delays.get(path) ?? FIRST_DELAY_MS
  delays.set(path, Math.min(2 * delay, LONGEST_DELAY_MS))
  scheduled.add(path)
  setTimeout(() => {
    scheduled.delete(path)
    attempt()
  }, delay)
}
