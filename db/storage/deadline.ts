import { AsyncLocalStorage } from 'node:async_hooks'
import { overridable } from '#db/values/test-override.ts'

/** How long a request waits for a database that is locked or unreachable before it fails with a 503, in ms. */
export function requestDeadlineMs(): number {
  return overridable('REQUEST_DEADLINE_MS', 5000)
}

const FIRST_DELAY_MS = 5
const LONGEST_DELAY_MS = 200

// Not an argument, because drizzle's `await db.select()…` has no place for one. See docs/decisions/storage.md.
const deadlines = new AsyncLocalStorage<number>()

/** All database calls of `run` share one deadline. */
export function withDeadline<Output>(run: () => Output, ms = requestDeadlineMs()): Output {
  return deadlines.run(performance.now() + ms, run)
}

/** The deadline of the current request, on the clock of `performance.now()`; a fresh one outside of requests. */
export function currentDeadline(): number {
  return deadlines.getStore() ?? performance.now() + requestDeadlineMs()
}

/** How long to wait after so many failures, in ms; random, so that colliding processes do not collide again. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS) * (0.5 + Math.random())
}
