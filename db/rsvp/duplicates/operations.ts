import { and, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedForEach } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { isLive, oneOf } from '#db/rsvp/list/conditions.ts'
import { momentOfDeletion } from '#db/rsvp/moments.ts'
import { noSuchRsvp } from '#db/rsvp/no-such-rsvp.ts'
import { rsvpId, type SomeDuplicates } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { calendarDay } from '#db/values/calendar-day.ts'
import { findSuperseded, isSame, isSuperseded } from './superseded.ts'

/** Of one service, or of all; without a `limit` every one of them. */
const duplicatesRequest = z.object({ week: z.optional(calendarDay), limit: z.optional(z.int()) })

/** Who sent several RSVPs for one service, the latest service first, and the ids of all that are superseded. */
export const listDuplicates = operation(
  duplicatesRequest,
  async ({ week, limit }): Promise<SomeDuplicates & { superseded: number[] }> => {
    const found = await findSuperseded(week)
    const byNewest = Map.groupBy(found, ({ newest }) => newest)
    const people = Array.from(byNewest, ([id, [first]]) => ({ id, serviceDate: first?.serviceDate ?? '' }))
      .sort((one, other) => (one.serviceDate === other.serviceDate ? other.id - one.id : isLater(one, other)))
      .slice(0, limit)
    const named = await namesOf(people.map(({ id }) => id))
    return {
      duplicates: people.flatMap((person) => {
        const names = named.get(person.id)
        // Deleted since they were found.
        if (names === undefined) return []
        const superseded = (byNewest.get(person.id) ?? []).map(({ id }) => id).sort((one, other) => one - other)
        return [{ ...person, ...names, superseded }]
      }),
      total: byNewest.size,
      superseded: found.map(({ id }) => id),
    }
  },
)

function isLater(one: { serviceDate: string }, other: { serviceDate: string }): number {
  return one.serviceDate > other.serviceDate ? -1 : 1
}

async function namesOf(ids: number[]) {
  const found = await db
    .select({ id: rsvps.id, name: rsvps.name, email: rsvps.email })
    .from(rsvps)
    .where(and(isLive, oneOf(ids)))
  return new Map(found.map(({ id, name, email }) => [id, { name, email }]))
}

/**
 * Keeps the newest RSVP of a person for a service, and deletes those that it supersedes: they can be restored as all that is
 * deleted. Whatever comes in or is changed meanwhile, what was said last is never deleted.
 * @returns the ids of those that it deleted.
 * @throws UserError 'not-found' when there is no such RSVP (any more), 'changed-meanwhile' when it is not the newest any more
 * or has no duplicates (any more).
 */
export const mergeRsvps = operation(rsvpId, async ({ id }, call): Promise<{ merged: number[] }> => {
  const kept = Number(id)
  const older = sql`SELECT older.id FROM ${rsvps} AS newest JOIN ${rsvps} AS older ON ${isSame(sql.raw('older'), newest)}
    WHERE newest.id = ${kept} AND older.id <> ${kept} AND NOT ${isSuperseded('newest')}`
  const [, deleted] = await db.batch([
    // Before they are deleted: one line that names them all.
    auditedForEach(
      call,
      'responses merged',
      sql`ids || ' into ' || ${String(kept)}`,
      sql`(SELECT group_concat(id, ' and ') AS ids FROM (${older} ORDER BY older.id)) WHERE ids IS NOT NULL`,
    ),
    db
      .update(rsvps)
      .set({ deletedAt: momentOfDeletion(call.now) })
      .where(sql`${rsvps.id} IN (${older})`)
      .returning({ id: rsvps.id }),
  ])
  if (deleted.length === 0) throw await reasonAgainst(kept)
  return { merged: deleted.map((each) => each.id).sort((one, other) => one - other) }
})

const newest: SQL = sql.raw('newest')

async function reasonAgainst(id: number): Promise<UserError> {
  const [found] = await db
    .select({ isSuperseded: sql<number>`${isSuperseded('kept')}` })
    .from(sql`${rsvps} AS kept`)
    .where(sql`kept.id = ${id} AND kept.deleted_at IS NULL`)
  if (found === undefined) return noSuchRsvp()
  const reason = found.isSuperseded
    ? 'This is not the newest response of this person any more.'
    : 'This response has no duplicates any more: they may have been merged already.'
  return new UserError('changed-meanwhile', `${reason} Look at what there is now.`)
}
