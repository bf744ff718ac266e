import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/errors.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { WRITE_BATCH_SIZE } from './schema.ts'

/** Between two writes, for others to store what has arrived meanwhile. */
const PAUSE_MS = 5

/** How many were written, and how many were not because storage failed in the middle, or it was stopped. */
export type Written = { changed: number; left: number }

/**
 * Writes many a batch at a time, so that others go on. A failure is told only where nothing was written before it.
 * @param write returns how many of these it has written.
 * @param signal ends it between two writes.
 */
export async function writeInTurn<Item>(
  items: Item[],
  write: (some: Item[]) => Promise<number>,
  signal?: AbortSignal,
): Promise<Written> {
  let changed = 0
  for (let done = 0; done < items.length; done += WRITE_BATCH_SIZE) {
    if (done > 0) await delay(PAUSE_MS)
    if (signal?.aborted) return { changed, left: items.length - done }
    try {
      // All of it may take longer than one request may wait for the database.
      changed += await withDeadline(() => write(items.slice(done, done + WRITE_BATCH_SIZE)))
    } catch (error) {
      if (changed === 0 || !isOutage(error)) throw error
      return { changed, left: items.length - done }
    }
  }
  return { changed, left: 0 }
}
