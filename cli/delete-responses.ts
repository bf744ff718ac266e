import { deleteRsvps } from '#db/rsvp/deletion.ts'
import type { Context } from './context.ts'
import { inSmallWrites } from './small-writes.ts'

/** What became of the ids. Those in `untouched` were not reached, because of an interruption or of `failure`. */
export type Deletion = { deleted: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

/** Deletes many responses; `report` hears how many ids are done. A failure is answered with what was deleted before it. */
export async function deleteResponses(
  ids: number[],
  report: (done: number) => void,
  { call, signal }: Context,
): Promise<Deletion> {
  const remove = (some: number[]) => deleteRsvps({ ids: some }, call)
  const { changed, unchanged, untouched, failure } = await inSmallWrites(ids, remove, report, signal)
  return { failure, deleted: changed, notFound: unchanged, untouched }
}
