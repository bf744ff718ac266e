import { and, gt, gte, inArray, isNull } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import type { Language } from '#db/language/languages.ts'
import type { Call } from '#db/operation.ts'
import { momentOfChange } from '#db/rsvp/moments.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { Rsvp, StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { scheduledService } from '#db/schedule/services.ts'
import type { Transaction } from '#db/storage/client.ts'
import { standingRsvps } from './table.ts'

type Begun = Pick<Rsvp, 'name' | 'email' | 'phone' | 'familyMembers' | 'volunteerRoles' | 'remind'> &
  Pick<StoredRsvp, 'serviceDate' | 'suspicion'> & { language?: Language | undefined }

/**
 * Stores what an RSVP says, for every week from its service on; returns the id, which belongs to the RSVP as well. Call
 * `writeAhead` once that is stored.
 */
export async function startStanding(tx: Transaction, begun: Begun, { now }: Call): Promise<number> {
  const { remind = false, serviceDate: since } = begun
  const moment = now.toISOString()
  const row = { ...begun, remind, since, writtenUntil: since, createdAt: moment, seenAt: moment }
  const [stored] = await tx.insert(standingRsvps).values(row).returning({ id: standingRsvps.id })
  if (stored === undefined) throw new Error('A standing RSVP was not stored.')
  return stored.id
}

/**
 * Ends standing RSVPs, except those that have ended: withdraws their RSVPs for services that have not begun, and keeps
 * the others. All their links then say that it has ended.
 */
export async function endStandingsIn(tx: Transaction, ids: number[], call: Call): Promise<void> {
  const now = call.now.toISOString()
  const ended = await tx
    .update(standingRsvps)
    .set({ endedAt: now })
    .where(and(inArray(standingRsvps.id, ids), isNull(standingRsvps.endedAt)))
    .returning({ id: standingRsvps.id })
  if (ended.length === 0) return
  const endedIds = ended.map(({ id }) => id)
  await audit(tx, call, 'standing RSVP ended', endedIds.map(String))
  const { date, startsAt } = scheduledService(await readSchedule(), call.now)
  const isAhead = startsAt > now ? gte(rsvps.serviceDate, date) : gt(rsvps.serviceDate, date)
  const isTheirs = and(inArray(rsvps.standingId, endedIds), isAhead)
  await tx.update(rsvps).set({ linkHash: null }).where(isTheirs)
  await withdrawIn(tx, await readStored(and(isTheirs, isLive)), call)
}

/** Withdraws RSVPs as their sender does. */
export async function withdrawIn(tx: Transaction, withdrawn: StoredRsvp[], call: Call): Promise<void> {
  const moment = momentOfChange(call.now)
  const ids = withdrawn.map(({ id }) => id)
  await tx.update(rsvps).set({ deletedAt: moment, changedAt: moment }).where(oneOf(ids))
  await audit(tx, call, 'response deleted', ids.map(String))
}
