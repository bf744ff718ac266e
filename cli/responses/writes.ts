import { setTimeout as delay } from 'node:timers/promises'
import { deleteRsvps, restoreRsvps } from '#db/rsvp/retention/deletion.ts'
import { DELETED_TOGETHER_MAXIMUM } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'

/** Between two writes, in ms: time for the site to store what has arrived meanwhile. */
const PAUSE = 10

/**
 * What became of the ids. Those in `notFound` were deleted, restored or erased already, those in `untouched` were not
 * reached, because of an interruption or of `failure`.
 */
export type Written = { changed: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

/** Changes many responses; `report` hears how many ids are done. */
export type Write = (ids: number[], report: (done: number) => void, context: Context) => Promise<Written>

export const deleteResponses = inSmallWrites(deleteRsvps)

/** Brings deleted responses back. */
export const restoreDeleted = inSmallWrites(restoreRsvps)

/**
 * A write of many responses that goes in small ones, so that the site goes on. A failure is answered with what was
 * changed before it.
 * @param write changes some, and answers the ids of those that were there to be changed.
 */
function inSmallWrites(write: typeof deleteRsvps): Write {
  return async (ids, report, { call, signal }) => {
    const changed = new Set<number>()
    let done = 0
    let failure: unknown
    while (done < ids.length && failure === undefined && !signal.aborted) {
      const chunk = ids.slice(done, done + DELETED_TOGETHER_MAXIMUM)
      try {
        for (const id of await write({ ids: chunk }, call)) changed.add(id)
        done += chunk.length
        report(done)
      } catch (error) {
        failure = error
      }
      if (done < ids.length) await delay(PAUSE)
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
