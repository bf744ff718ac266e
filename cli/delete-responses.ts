import { setTimeout as delay } from 'node:timers/promises'
import { deleteRsvps } from '#db/rsvp/deletion.ts'
import { DELETED_TOGETHER_MAXIMUM } from '#db/rsvp/schema.ts'
import type { Context } from './context.ts'

/** Between two writes, in ms: time for the site to store what has arrived meanwhile. */
const PAUSE = 10

/** What became of the ids. Those in `untouched` were not reached, because of an interruption or of `failure`. */
export type Deletion = { deleted: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

/**
 * Deletes many responses in small writes, so that the site goes on; `report` hears how many ids are done. A failure
 * is answered with what was deleted before it, which is gone.
 */
export async function deleteResponses(
  ids: number[],
  report: (done: number) => void,
  { call, signal }: Context,
): Promise<Deletion> {
  const deleted = new Set<number>()
  let done = 0
  let failure: unknown
  while (done < ids.length && failure === undefined && !signal.aborted) {
    const chunk = ids.slice(done, done + DELETED_TOGETHER_MAXIMUM)
    try {
      for (const id of await deleteRsvps({ ids: chunk }, call)) deleted.add(id)
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
    deleted: reached.filter((id) => deleted.has(id)),
    notFound: reached.filter((id) => !deleted.has(id)),
    untouched: ids.slice(done),
  }
}
