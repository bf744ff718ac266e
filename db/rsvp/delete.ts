import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, openedDatabase, type Transaction, transaction } from '#db/storage/client.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { erasure, erasureRequest, NAMED_IDS_MAXIMUM, rsvpId, rsvpIds, rsvpSelection } from '#db/values/rsvp.ts'
import { noSuchRsvp } from '#db/values/stored-rsvp.ts'
import { hasEmail, isLive, oneOf } from './read.ts'
import { findAllIds } from './search.ts'
import { endStandingsIn } from './standing.ts'
import { momentOfDeletion } from './write.ts'

/**
 * Deletes a response. It can be restored for `RESTORABLE_DAYS`.
 * @throws UserError 'not-found' when there is no such response (any more).
 */
export async function deleteRsvp(input: unknown, call: Call): Promise<void> {
  const { id } = parseInput(rsvpId, input)
  if ((await setDeleted([id], true, call)).length === 0) throw noSuchRsvp()
}

/** Deletes several responses in one transaction; returns the ids of those that existed. */
export async function deleteRsvps(input: unknown, call: Call) {
  const { ids } = parseInput(rsvpIds, input)
  return setDeleted(ids, true, call)
}

/** Deletes everything that a filter finds up to the newest that was shown; returns the ids. */
export async function deleteSelection(input: unknown, call: Call) {
  const { newest, except, ...filter } = parseInput(rsvpSelection, input)
  const excepted = new Set(except)
  const found = await findAllIds(filter)
  const ids = found.filter((id) => id <= newest && !excepted.has(id))
  return setDeleted(ids, true, call)
}

/** Restores several responses in one transaction; returns the ids of those that were deleted. */
export async function restoreRsvps(input: unknown, call: Call) {
  const { ids } = parseInput(rsvpIds, input)
  return setDeleted(ids, false, call)
}

/** How many responses were sent with this address, the deleted and the standing ones included. */
export async function countRsvpsOf(input: unknown): Promise<number> {
  const { email } = parseInput(erasure, input)
  return (await db.$count(rsvps, hasEmail(email))) + (await db.$count(standingRsvps, hasEmail(email, standingRsvps)))
}

/**
 * Erases every response that was sent with this address, for good, with its links, its prayer requests and the messages
 * to send; returns how many.
 */
export async function eraseRsvps(input: unknown, call: Call): Promise<number> {
  const { email } = parseInput(erasure, input)
  const erased = await transaction(async (tx) => {
    const sent = await tx.delete(rsvps).where(hasEmail(email)).returning({ id: rsvps.id })
    const isStanding = hasEmail(email, standingRsvps)
    const standing = await tx.delete(standingRsvps).where(isStanding).returning({ id: standingRsvps.id })
    await tx.delete(mailQueue).where(eq(sql`lower(${mailQueue.address})`, email.toLowerCase()))
    const length = sent.length + standing.length
    if (length > 0) await audit(tx, call, 'responses erased', String(length))
    return length
  })
  if (erased > 0) await openedDatabase().rewrite()
  return erased
}

/** How many there are; they are erased only if that is confirmed. */
export async function eraseIfConfirmed(input: unknown, call: Call): Promise<number> {
  const { confirmed, ...whose } = parseInput(erasureRequest, input)
  return confirmed ? eraseRsvps(whose, call) : countRsvpsOf(whose)
}

/** Deletes responses, or restores them; returns the ids that changed. */
function setDeleted(ids: number[], deleted: boolean, call: Call): Promise<number[]> {
  return transaction(async (tx) => {
    const changed: number[] = []
    for (let done = 0; done < ids.length; done += NAMED_IDS_MAXIMUM)
      changed.push(...(await setBatchDeleted(tx, ids.slice(done, done + NAMED_IDS_MAXIMUM), deleted, call)))
    return changed
  })
}

/** If a deleted response may be spam, the standing RSVP that it began ends as well. */
async function setBatchDeleted(tx: Transaction, ids: number[], deleted: boolean, call: Call): Promise<number[]> {
  const { id, suspicion, standingId } = rsvps
  const rows = await tx
    .update(rsvps)
    .set({ deletedAt: deleted ? momentOfDeletion(call.now) : null, mergedInto: null })
    .where(and(oneOf(ids), deleted ? isLive : isNotNull(rsvps.deletedAt)))
    .returning({ id, suspicion, standingId })
  const changed = rows.map((row) => row.id)
  await audit(tx, call, deleted ? 'response deleted' : 'response restored', changed.map(String))
  if (!deleted) return changed
  const ended = rows.flatMap((row) => (row.suspicion === null ? [] : (row.standingId ?? [])))
  if (ended.length > 0) await endStandingsIn(tx, ended, call)
  return changed
}
