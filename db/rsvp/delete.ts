import { and, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { notBeforeMark } from '#db/clock/clock.ts'
import { clockMarks } from '#db/clock/table.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { db, openedDatabase, transaction } from '#db/storage/client.ts'
import { momentOfDeletion } from './moments.ts'
import { erasure, rsvpDeletion, rsvpId, rsvpIds, rsvpSelection } from './schema.ts'
import { conditions, findAllIds, hasEmail, isLive, oneOf } from './search.ts'
import { noSuchRsvp } from './stored.ts'
import { rsvps } from './table.ts'
import { fingerprint } from './table-page.ts'
import { type Written, writeInTurn } from './write-in-turn.ts'

/**
 * Deletes a response. It can be restored for `RESTORABLE_DAYS`.
 * @throws UserError 'not-found' when there is no such response (any more).
 */
export const deleteRsvp = operation(rsvpId, async ({ id }, call): Promise<void> => {
  if ((await setDeleted([id], momentOfDeletion(call.now), call)).length === 0) throw noSuchRsvp()
})

/** Deletes several responses in one write; returns the ids of those that existed. */
export const deleteRsvps = operation(rsvpIds, ({ ids }, call) => setDeleted(ids, momentOfDeletion(call.now), call))

/**
 * Restores a deleted response.
 * @throws UserError 'not-found' when no deleted response has this id.
 */
export const restoreRsvp = operation(rsvpId, async ({ id }, call): Promise<void> => {
  if ((await setDeleted([id], null, call)).length > 0) return
  throw new UserError('not-found', 'No deleted response has this number. It may be restored already, or erased.')
})

/** Restores several responses in one write; returns the ids of those that were deleted. */
export const restoreRsvps = operation(rsvpIds, ({ ids }, call) => setDeleted(ids, null, call))

/** How many responses were sent with this address, the deleted ones included. */
export const countRsvpsOf = operation(erasure, async ({ email }): Promise<number> => db.$count(rsvps, hasEmail(email)))

/** Erases every response that was sent with this address, for good; returns how many. */
export const eraseRsvps = operation(erasure, async ({ email }, call): Promise<number> => {
  const erased = await transaction(async (tx) => {
    const { length } = await tx.delete(rsvps).where(hasEmail(email)).returning({ id: rsvps.id })
    if (length > 0) await audit(tx, call, 'responses erased', String(length))
    return length
  })
  if (erased > 0) await openedDatabase().rewrite()
  return erased
})

/** Deletes responses, or restores them if `deletedAt` is null; returns the ids that changed. */
async function setDeleted(ids: number[], deletedAt: SQL | string | null, call: Call): Promise<number[]> {
  const meant = and(oneOf(ids), deletedAt === null ? isNotNull(rsvps.deletedAt) : isLive)
  return transaction(async (tx) => {
    const rows = await tx.update(rsvps).set({ deletedAt }).where(meant).returning({ id: rsvps.id })
    const changed = rows.map(({ id }) => id)
    await audit(tx, call, deletedAt === null ? 'response restored' : 'response deleted', changed.map(String))
    return changed
  })
}

/**
 * Deletes everything that a filter finds, if that is still what was shown; in several writes, so that other requests
 * continue. All get the same moment, by which `restoreDeletion` restores them.
 * @throws UserError 'changed-meanwhile' if other responses are found than were shown, e.g. because one was restored.
 */
export const deleteSelection = operation(
  rsvpSelection,
  async ({ newest, count, except, fingerprint: shown, ...filter }, call): Promise<Written & { deletedAt: string }> => {
    const searched = filter.q === undefined ? undefined : oneOf(await findAllIds(filter))
    const found = await findWhere(and(lte(rsvps.id, newest), searched, ...conditions(filter)))
    const excepted = new Set(except)
    const ids = found.ids.filter((id) => !excepted.has(id))
    if (ids.length !== count || found.fingerprint !== shown) {
      throw new UserError(
        'changed-meanwhile',
        'The matching responses have changed since you saw them. Check them again.',
      )
    }
    const [moment] = await db.select({ deletedAt: notBeforeMark(call.now) }).from(clockMarks)
    if (moment === undefined) throw new Error('The moment of the deletion is missing.')
    return { ...moment, ...(await changeInTurn(ids, moment.deletedAt, call)) }
  },
)

/** Restores the responses that were deleted at one moment and still exist. */
export const restoreDeletion = operation(rsvpDeletion, async ({ deletedAt }, call): Promise<Written> => {
  const { ids } = await findWhere(eq(rsvps.deletedAt, deletedAt))
  return changeInTurn(ids, null, call)
})

function changeInTurn(ids: number[], deletedAt: string | null, call: Call): Promise<Written> {
  return writeInTurn(ids, async (some) => (await setDeleted(some, deletedAt, call)).length)
}

/** Reads all ids as one text: a row for each would take five times as long. */
async function findWhere(where: SQL | undefined): Promise<{ ids: number[]; fingerprint: number }> {
  const [found] = await db
    .select({ ids: sql<string>`json_group_array(${rsvps.id})`, fingerprint })
    .from(rsvps)
    .where(where)
  if (found === undefined) throw new Error('Counting returned no row.')
  return { ids: JSON.parse(found.ids), fingerprint: found.fingerprint }
}
