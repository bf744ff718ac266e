const FIRST_DELAY_MS = 5000
const LONGEST_DELAY_MS = 60_000

const delays = new Map<string, number>()
const scheduled = new Set<string>()

/**
 * Schedules another attempt at what a page needs from a path, with a longer delay each time. If an attempt is already
 * scheduled, e.g. after Try Again was pressed, no other one is. Each delay is shorter by up to a quarter, so that the pages
 * that lost the site at the same moment do not all come back at the same moment.
 */
export function tryLater(path: string, attempt: () => unknown, longest = LONGEST_DELAY_MS): void {
  if (scheduled.has(path)) return
  const delay = delays.get(path) ?? FIRST_DELAY_MS
  delays.set(path, Math.min(2 * delay, longest))
  scheduled.add(path)
  setTimeout(
    () => {
      scheduled.delete(path)
      attempt()
    },
    delay * (1 - Math.random() / 4),
  )
}

/** An attempt has succeeded: the next failure at this path is a new one. */
export function forgetDelay(path: string): void {
  delays.delete(path)
}
