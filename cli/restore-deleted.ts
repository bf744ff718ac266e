import { restoreRsvps } from '#db/rsvp/deletion.ts'
import type { Context } from './context.ts'
import { inSmallWrites } from './small-writes.ts'

/** What became of the ids, as of a deletion. */
export type Restoration = { restored: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

/** Brings many deleted responses back, in the same way as they are deleted. */
export async function restoreDeleted(
  ids: number[],
  report: (done: number) => void,
  { call, signal }: Context,
): Promise<Restoration> {
  const restore = (some: number[]) => restoreRsvps({ ids: some }, call)
  const { changed, unchanged, untouched, failure } = await inSmallWrites(ids, restore, report, signal)
  return { failure, restored: changed, notFound: unchanged, untouched }
}
