import { millisecondsInDay } from 'date-fns/constants'
import { and, count, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { auditedForEach, auditedIfChanged } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { hasEmail, isLive, oneOf } from '#db/rsvp/list/conditions.ts'
import { momentOfDeletion } from '#db/rsvp/moments.ts'
import { noSuchRsvp } from '#db/rsvp/no-such-rsvp.ts'
import { erasure, rsvpId, rsvpIds, WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, openedDatabase } from '#db/storage/client.ts'

/** How long a deleted response can be restored, in days. */
export const RESTORABLE_DAYS = 30

/**
 * Deletes a response. It can be restored for `RESTORABLE_DAYS`.
 * @throws UserError 'not-found' when there is no such response (any more).
 */
export const deleteRsvp = operation(rsvpId, async ({ id }, call): Promise<void> => {
  if ((await setDeleted([id], momentOfDeletion(call.now), call)).length === 0) throw noSuchRsvp()
})

/** Deletes several responses, in one write; returns the ids of those that were there. */
export const deleteRsvps = operation(rsvpIds, ({ ids }, call) => setDeleted(ids, momentOfDeletion(call.now), call))

/**
 * Restores a deleted response.
 * @throws UserError 'not-found' when no deleted response has this id.
 */
export const restoreRsvp = operation(rsvpId, async ({ id }, call): Promise<void> => {
  if ((await setDeleted([id], null, call)).length > 0) return
  throw new UserError('not-found', 'No deleted response has this number. It may be restored already, or erased.')
})

/** Restores several responses, in one write; returns the ids of those that were deleted. */
export const restoreRsvps = operation(rsvpIds, ({ ids }, call) => setDeleted(ids, null, call))

/** How many responses were sent with this address, the deleted ones included. */
export const countRsvpsOf = operation(erasure, async ({ email }): Promise<number> => {
  const [found] = await db.select({ sent: count() }).from(rsvps).where(hasEmail(email))
  return found?.sent ?? 0
})

/** Erases every response that was sent with this address, for good; returns how many. */
export const eraseRsvps = operation(erasure, async ({ email }, call): Promise<number> => {
  const [erased] = await db.batch([
    db.delete(rsvps).where(hasEmail(email)).returning({ id: rsvps.id }),
    auditedIfChanged(call, 'responses erased', sql`changes()`),
  ])
  if (erased.length > 0) await openedDatabase().rewrite()
  return erased.length
})

/** Erases a batch of what was deleted too long ago to be restored; none is left when it returns 0. */
export const eraseOldDeletions = operationWithoutInput(async (call): Promise<number> => {
  const some = db.select({ id: rsvps.id }).from(rsvps).where(isRestorableNoMore(call.now)).limit(WRITE_BATCH_SIZE)
  const [erased] = await db.batch([
    db.delete(rsvps).where(inArray(rsvps.id, some)).returning({ id: rsvps.id }),
    auditedIfChanged(call, 'responses erased', sql`changes()`),
  ])
  return erased.length
})

/** Deleted too long ago to be restored. */
export function isRestorableNoMore(now: Date): SQL {
  return lt(rsvps.deletedAt, new Date(now.getTime() - RESTORABLE_DAYS * millisecondsInDay).toISOString())
}

/** Deletes these at a moment, or restores them; returns the ids of those that it changed. */
export async function setDeleted(ids: number[], deletedAt: SQL | string | null, call: Call): Promise<number[]> {
  const meant = and(oneOf(ids), deletedAt === null ? isNotNull(rsvps.deletedAt) : isLive)
  const [, changed] = await db.batch([
    // Before they change: one line for each that will.
    auditedForEach(
      call,
      deletedAt === null ? 'response restored' : 'response deleted',
      sql`${rsvps.id}`,
      sql`${rsvps} WHERE ${meant}`,
    ),
    db.update(rsvps).set({ deletedAt }).where(meant).returning({ id: rsvps.id }),
  ])
  return changed.map(({ id }) => id)
}
