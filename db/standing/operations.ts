import { addDays } from 'date-fns/addDays'
import { and, asc, eq, gte, isNull } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService } from '#db/schedule/services.ts'
import { db, transaction } from '#db/storage/client.ts'
import { QUIET_DAYS, type StandingHousehold, standingId } from './schema.ts'
import { standingRsvps } from './table.ts'

/** The households that come every week, by name. */
export const listStanding = operationWithoutInput(async (): Promise<StandingHousehold[]> => {
  const { id, name, email, phone, since, seenAt } = standingRsvps
  const stored = await db
    .select({ id, name, email, phone, since, seenAt })
    .from(standingRsvps)
    .where(isNull(standingRsvps.endedAt))
    .orderBy(asc(name))
  return stored.map((household) => ({
    ...household,
    endsAt: addDays(household.seenAt, QUIET_DAYS).toISOString(),
  }))
})

/**
 * Ends a standing RSVP: those of the weeks ahead are withdrawn, the past stays.
 * @throws UserError 'not-found' if there is none with this id any more.
 */
export const endStanding = operation(standingId, async ({ id }, call): Promise<void> => {
  const now = call.now.toISOString()
  await transaction(async (tx) => {
    const isAlive = and(eq(standingRsvps.id, Number(id)), isNull(standingRsvps.endedAt))
    const ended = await tx
      .update(standingRsvps)
      .set({ endedAt: now })
      .where(isAlive)
      .returning({ id: standingRsvps.id })
    if (ended.length === 0)
      throw new UserError('not-found', `No household comes every week under number ${id}. It may have ended already.`)
    const from = currentService(await readSchedule(), call.now).date
    const isAhead = and(eq(rsvps.standingId, Number(id)), gte(rsvps.serviceDate, from), isNull(rsvps.deletedAt))
    await tx.update(rsvps).set({ deletedAt: now, changedAt: now, linkHash: null }).where(isAhead)
    await audit(tx, call, 'response deleted', String(id))
  })
})
