import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { notBeforeMark } from '#db/clock/clock.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { conditions, oneOf } from '#db/rsvp/list/conditions.ts'
import { findAllIds } from '#db/rsvp/list/find-ids.ts'
import { fingerprint } from '#db/rsvp/list/fingerprint.ts'
import { rsvpSelection } from '#db/rsvp/list/schema.ts'
import { rsvpDeletion, WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { setDeleted } from './deletion.ts'

/** Between two writes, for others to store what has arrived meanwhile. */
const PAUSE_MS = 1

/** How many responses were changed, and how many were not because storage failed in the middle. */
type Changed = { changed: number; left: number }

/**
 * Deletes everything that a filter finds, as it was shown; in several writes, so that others go on. All of it gets
 * the same moment, by which `restoreDeletion` brings it back.
 * @throws UserError 'changed-meanwhile' when something else is found than was shown, e.g. because something was restored.
 */
export const deleteSelection = operation(
  rsvpSelection,
  async ({ newest, count, except, fingerprint: shown, ...filter }, call): Promise<Changed & { deletedAt: string }> => {
    const searched = filter.q === undefined ? undefined : oneOf(await findAllIds(filter))
    const found = await findWhere(and(lte(rsvps.id, newest), searched, ...conditions(filter)))
    const excepted = new Set(except)
    const ids = found.ids.filter((id) => !excepted.has(id))
    if (ids.length !== count || found.fingerprint !== shown) {
      throw new UserError('changed-meanwhile', 'Other responses match by now than you were shown. Look at them again.')
    }
    const [moment] = await db.select({ deletedAt: notBeforeMark(call.now) }).from(sql`(SELECT 1)`)
    if (moment === undefined) throw new Error('The moment of the deletion is missing.')
    return { ...moment, ...(await changeInTurn(ids, moment.deletedAt, call)) }
  },
)

/** Restores what was deleted at one moment, as far as it is still there. */
export const restoreDeletion = operation(rsvpDeletion, async ({ deletedAt }, call): Promise<Changed> => {
  const { ids } = await findWhere(eq(rsvps.deletedAt, deletedAt))
  return changeInTurn(ids, null, call)
})

/** A failure is told only where nothing was changed before it. */
async function changeInTurn(ids: number[], deletedAt: string | null, call: Call): Promise<Changed> {
  let changed = 0
  for (let done = 0; done < ids.length; done += WRITE_BATCH_SIZE) {
    if (done > 0) await delay(PAUSE_MS)
    try {
      const some = ids.slice(done, done + WRITE_BATCH_SIZE)
      // All of it may take longer than one request may wait for the database.
      changed += (await withDeadline(() => setDeleted(some, deletedAt, call))).length
    } catch (error) {
      if (changed === 0 || !isOutage(error)) throw error
      return { changed, left: ids.length - done }
    }
  }
  return { changed, left: 0 }
}

/** All ids as one text, because a row for each would take five times as long. */
async function findWhere(where: SQL | undefined): Promise<{ ids: number[]; fingerprint: number }> {
  const [found] = await db
    .select({ ids: sql<string>`json_group_array(${rsvps.id})`, fingerprint })
    .from(rsvps)
    .where(where)
  if (found === undefined) throw new Error('Counting returned no row.')
  return { ids: JSON.parse(found.ids), fingerprint: found.fingerprint }
}
