import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/errors.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { WRITE_BATCH_SIZE } from './schema.ts'

/** The pause between two writes, in which other requests are stored. */
const PAUSE_MS = 5

/** `left` is how many were not written, because storage failed in the middle or it was stopped. */
export type Written = { changed: number; left: number }

/**
 * Writes many items in batches, so that other requests continue. An outage is thrown only if nothing was written before
 * it.
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
      // A deadline for each batch: all together may take longer than one request may wait.
      changed += await withDeadline(() => write(items.slice(done, done + WRITE_BATCH_SIZE)))
    } catch (error) {
      if (changed === 0 || !isOutage(error)) throw error
      return { changed, left: items.length - done }
    }
  }
  return { changed, left: 0 }
}
