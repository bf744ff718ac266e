import { setTimeout as delay } from 'node:timers/promises'
import { DELETED_TOGETHER_MAXIMUM } from '#db/rsvp/schema.ts'

/** Between two writes, in ms: time for the site to store what has arrived meanwhile. */
const PAUSE = 10

/** What became of the ids. Those in `untouched` were not reached, because of an interruption or of `failure`. */
export type Written = { changed: number[]; unchanged: number[]; untouched: number[]; failure?: unknown }

/**
 * Changes many responses in small writes, so that the site goes on; `report` hears how many ids are done. A failure is
 * answered with what was changed before it.
 * @param write changes some, and answers the ids of those that were there to be changed.
 */
export async function inSmallWrites(
  ids: number[],
  write: (some: number[]) => Promise<number[]>,
  report: (done: number) => void,
  signal: AbortSignal,
): Promise<Written> {
  const changed = new Set<number>()
  let done = 0
  let failure: unknown
  while (done < ids.length && failure === undefined && !signal.aborted) {
    const chunk = ids.slice(done, done + DELETED_TOGETHER_MAXIMUM)
    try {
      for (const id of await write(chunk)) changed.add(id)
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
    unchanged: reached.filter((id) => !changed.has(id)),
    untouched: ids.slice(done),
  }
}
