import { AsyncLocalStorage } from 'node:async_hooks'
import { limit } from '../limits.ts'

/** How long a request waits for a database that is locked or away before it is told to come back, in ms. */
export const PATIENCE_MS = limit('REQUEST_DEADLINE_MS', 5000)

const deadlines = new AsyncLocalStorage<number>()

/** Runs something that, however many calls of the database it makes, waits for all of them together no longer than one. */
export function inOnePatience<Output>(run: () => Output, patienceMs = PATIENCE_MS): Output {
  return deadlines.run(performance.now() + patienceMs, run)
}

/** When whoever asks at this moment has waited long enough, as `performance.now()` tells it. */
export function deadline(): number {
  return deadlines.getStore() ?? performance.now() + PATIENCE_MS
}
