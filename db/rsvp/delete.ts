import { subMinutes } from 'date-fns/subMinutes'
import { and, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { mailQueue } from '#db/mail/table.ts'
import { type Call, operation } from '#db/operation.ts'
import { takePrayersBack } from '#db/prayer/store.ts'
import { endStandingsIn, giveWeeksBack } from '#db/standing/start-end.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, openedDatabase, transaction } from '#db/storage/client.ts'
import { momentOfDeletion } from './moments.ts'
import { erasure, rsvpDeletion, rsvpId, rsvpIds, rsvpSelection, singleDeletion } from './schema.ts'
import { conditions, findAllIds, hasEmail, isDeletedByChurch, isLive, oneOf } from './search.ts'
import { noSuchRsvp } from './stored.ts'
import { rsvps } from './table.ts'
import { fingerprint } from './table-page.ts'
import { type Written, writeInTurn } from './write-in-turn.ts'

/** How long a deletion can go on, so that the time to restore its responses counts from its beginning. */
const DELETION_MINUTES = 10

/**
 * Deletes a response. It can be restored for `RESTORABLE_DAYS`.
 * With `deletedWith`, it gets the moment of that response, which was deleted just before: one deletion of several, which
 * `restoreDeletion` undoes.
 * @throws UserError 'not-found' when there is no such response (any more).
 */
export const deleteRsvp = operation(singleDeletion, async ({ id, deletedWith }, call): Promise<void> => {
  const moment = deletedWith === undefined ? undefined : await readMoment(deletedWith, call)
  if ((await setDeleted([id], momentOfDeletion(call.now, moment), call)).length === 0) throw noSuchRsvp()
})

/** When an administrator deleted a response; undefined if that was not just now, or it is restored already. */
async function readMoment(id: number, { now }: Call): Promise<string | undefined> {
  const isRecent = gt(rsvps.deletedAt, subMinutes(now, DELETION_MINUTES).toISOString())
  const [found] = await db
    .select({ deletedAt: rsvps.deletedAt })
    .from(rsvps)
    .where(and(eq(rsvps.id, id), isDeletedByChurch, isNull(rsvps.mergedInto), isRecent))
  return found?.deletedAt ?? undefined
}

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

/** How many responses were sent with this address, the deleted and the standing ones included. */
export const countRsvpsOf = operation(
  erasure,
  async ({ email }): Promise<number> =>
    (await db.$count(rsvps, hasEmail(email))) + (await db.$count(standingRsvps, hasEmail(email, standingRsvps))),
)

/**
 * Erases every response that was sent with this address, for good, with its links, its prayer requests and the messages
 * to send; returns how many.
 */
export const eraseRsvps = operation(erasure, async ({ email }, call): Promise<number> => {
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
})

/**
 * Deletes responses, or restores them if `deletedAt` is null; returns the ids that changed. With one that may be spam,
 * what it said for every week ends.
 */
async function setDeleted(ids: number[], deletedAt: SQL | null, call: Call): Promise<number[]> {
  const meant = and(oneOf(ids), deletedAt === null ? isNotNull(rsvps.deletedAt) : isLive)
  return transaction(async (tx) => {
    const { id, suspicion, standingId } = rsvps
    const set = tx.update(rsvps).set({ deletedAt, mergedInto: null, linksOpen: null }).where(meant)
    const rows = await set.returning({ id, suspicion, standingId })
    const changed = rows.map((row) => row.id)
    await audit(tx, call, deletedAt === null ? 'response restored' : 'response deleted', changed.map(String))
    const single = rows.filter((row) => row.standingId === null)
    if (deletedAt !== null)
      await giveWeeksBack(
        tx,
        single.map((row) => row.id),
        call,
      )
    else await takePrayersBack(tx, changed)
    const spam = deletedAt === null ? [] : rows.filter((row) => row.suspicion !== null)
    const ended = spam.flatMap((row) => row.standingId ?? [])
    if (ended.length > 0) await endStandingsIn(tx, ended, call)
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
    return { deletedAt: call.now.toISOString(), ...(await changeInTurn(ids, momentOfDeletion(call.now), call)) }
  },
)

/** Restores the responses of one deletion by administrators, or of one merge, unless they are erased. */
export const restoreDeletion = operation(rsvpDeletion, async ({ deletedAt, mergedInto }, call): Promise<Written> => {
  // SQLite's IS also compares with null.
  const isMeant = mergedInto === undefined ? undefined : sql`${rsvps.mergedInto} IS ${mergedInto}`
  const { ids } = await findWhere(and(eq(rsvps.deletedAt, deletedAt), isDeletedByChurch, isMeant))
  return changeInTurn(ids, null, call)
})

function changeInTurn(ids: number[], deletedAt: SQL | null, call: Call): Promise<Written> {
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
