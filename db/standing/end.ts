import { and, gt, gte, inArray, isNull } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import type { Call } from '#db/operation.ts'
import { findDuplicates } from '#db/rsvp/duplicates.ts'
import { momentOfWithdrawal } from '#db/rsvp/moments.ts'
import { readStored } from '#db/rsvp/read.ts'
import { leaveFilledRoles } from '#db/rsvp/roles.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { scheduledService } from '#db/schedule/services.ts'
import type { Transaction } from '#db/storage/client.ts'
import { standingRsvps } from './table.ts'

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
  const ahead = await tx
    .select({ id: rsvps.id, deletedAt: rsvps.deletedAt })
    .from(rsvps)
    .where(and(inArray(rsvps.standingId, endedIds), isAhead))
  if (ahead.length === 0) return
  const all = ahead.map(({ id }) => id)
  const superseding = new Set((await findDuplicates()).map(({ newest }) => newest.id))
  const gone = await readStored(and(oneOf(all.filter((id) => superseding.has(id))), isLive))
  const moment = momentOfWithdrawal(call.now)
  const withdrawn = ahead.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
  await tx.update(rsvps).set({ linkHash: null }).where(oneOf(all))
  await tx.update(rsvps).set({ deletedAt: moment, changedAt: moment }).where(oneOf(withdrawn))
  await audit(tx, call, 'response deleted', withdrawn.map(String))
  for (const stored of gone) await leaveFilledRoles(tx, stored, call)
}
