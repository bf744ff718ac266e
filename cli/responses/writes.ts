import { setTimeout as delay } from 'node:timers/promises'
import { deleteRsvps, restoreRsvps } from '#db/rsvp/delete.ts'
import { NAMED_IDS_MAXIMUM } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'

/** Between two writes, for the site to store what has arrived meanwhile. */
const PAUSE_MS = 10

/**
 * What happened to each id. Those in `notFound` were already deleted, restored or erased; those in `untouched` were not
 * reached because of an interruption or of `failure`.
 */
export type Written = { changed: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

/** Changes many responses; calls `report` with the number of ids done. */
export type Write = (ids: number[], report: (done: number) => void, context: Context) => Promise<Written>

export const deleteResponses = inBatches(deleteRsvps)

export const restoreDeleted = inBatches(restoreRsvps)

/**
 * Splits a write of many responses into batches, so that the site keeps working. A failure is returned together with what
 * was changed before it.
 * @param write changes one batch and returns the ids that it found.
 */
function inBatches(write: typeof deleteRsvps): Write {
  return async (ids, report, { call, signal }) => {
    const changed = new Set<number>()
    let done = 0
    let failure: unknown
    while (done < ids.length && failure === undefined && !signal.aborted) {
      const chunk = ids.slice(done, done + NAMED_IDS_MAXIMUM)
      try {
        for (const id of await write({ ids: chunk }, call)) changed.add(id)
        done += chunk.length
        report(done)
      } catch (error) {
        failure = error
      }
      if (done < ids.length) await delay(PAUSE_MS)
    }
    const reached = ids.slice(0, done)
    return {
      failure,
      changed: reached.filter((id) => changed.has(id)),
      notFound: reached.filter((id) => !changed.has(id)),
      untouched: ids.slice(done),
    }
  }
}
