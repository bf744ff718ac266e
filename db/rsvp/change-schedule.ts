import { and, gt, gte, inArray, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { type Call, parseInput } from '#db/call.ts'
import { getSchedule, readSchedule, storeSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { addDays } from '#db/values/dates.ts'
import { type ChangedSchedule, type StoredSchedule, scheduleChange } from '#db/values/schedule.ts'
import { currentService, nextService, scheduledService } from '#db/values/services.ts'
import { queueServiceChanges } from './queue-mail.ts'
import { isLive, oneOf } from './read.ts'
import { writeStandingRsvps } from './write-weeks.ts'

/**
 * Changes the given fields of the schedule and confirms the rest. If the weekday changes, RSVPs for future services move
 * along, and so do skipped dates unless they are given. RSVPs that came under an unconfirmed default on another weekday
 * get the service that they were for. Those who said that they come to a service get a mail when it is skipped, or held after all.
 * @throws UserError 'invalid' for a skipped date without a service.
 */
export async function changeSchedule(input: unknown, call: Call): Promise<ChangedSchedule> {
  const change = parseInput(scheduleChange, input)
  // What was missed belongs to the schedule as it was.
  await writeStandingRsvps(call)
  const { skipped, ...counts } = await transaction(async (tx) => {
    const { before, days, skipped, held } = await storeSchedule(tx, change, call)
    const movedRsvps = days === 0 ? 0 : await moveRsvps(tx, before, days, call)
    const toldRsvps = await queueServiceChanges(tx, skipped, 'skipped', call)
    await queueServiceChanges(tx, held, 'held', call)
    await writeWeeksAgain(tx, call)
    return { skipped, movedRsvps, toldRsvps }
  })
  await writeStandingRsvps(call)
  const skippedRsvps = await db.$count(rsvps, and(isLive, inArray(rsvps.serviceDate, skipped)))
  return { ...(await getSchedule(call)), ...counts, skippedRsvps }
}

/**
 * Moves RSVPs for future services to another weekday, along with their service. If the previous day was never
 * confirmed, those for this week and earlier get the service that was next when they came. RSVPs that an administrator
 * entered after their service move along instead, because the moment of entry does not tell which service it was, and so
 * do those of households that come every week. If the weekday stays, every day stays: visitors were shown it.
 * @returns how many RSVPs were for future services.
 */
async function moveRsvps(tx: Transaction, before: StoredSchedule, days: number, { now }: Call): Promise<number> {
  const { date: current } = currentService(before, now)
  // Even if it is skipped: the skipped date moves together with its RSVPs.
  const { date: scheduled } = scheduledService(before, now)
  const upcoming = gte(rsvps.serviceDate, scheduled)
  const count = await tx.$count(rsvps, and(isLive, upcoming))
  const movesAlong = sql`(${rsvps.standingId} IS NOT NULL
    OR ${rsvps.serviceDate} < coalesce(date(${rsvps.createdAt}), ''))`
  if (!before.confirmed) await chooseServices(tx, and(lte(rsvps.serviceDate, current), not(movesAlong)))
  const moving = before.confirmed ? upcoming : or(gt(rsvps.serviceDate, current), movesAlong)
  // Not those of an earlier schedule on another weekday.
  const isOnWeekday = sql`CAST(strftime('%w', ${rsvps.serviceDate}) AS INTEGER) = ${before.weekday}`
  await tx
    .update(rsvps)
    .set({ serviceDate: sql`date(${rsvps.serviceDate}, ${`${days} days`})` })
    .where(and(moving, isOnWeekday))
  // Households whose first service moves would otherwise begin a week later.
  await tx
    .update(standingRsvps)
    .set({ since: sql`date(${standingRsvps.since}, ${`${days} days`})` })
    .where(gte(standingRsvps.since, scheduled))
  return count
}

/** Gives RSVPs the service that was next when they came, by the schedule as it is now. */
async function chooseServices(tx: Transaction, condition: SQL | undefined): Promise<void> {
  const sent = await tx.select({ id: rsvps.id, createdAt: rsvps.createdAt }).from(rsvps).where(condition)
  const schedule = await readSchedule()
  const serviceOf = ({ createdAt }: { createdAt: string }) => nextService(schedule, new Date(createdAt)).date
  for (const [serviceDate, same] of Map.groupBy(sent, serviceOf)) {
    const ids = same.map(({ id }) => id)
    await tx.update(rsvps).set({ serviceDate }).where(oneOf(ids))
  }
}

/**
 * Lets `writeStandingRsvps` begin with this week's service again, and write what is missing: on the new weekday, services
 * can be held before the first one that has moved.
 */
async function writeWeeksAgain(tx: Transaction, { now }: Call): Promise<void> {
  const dayBefore = addDays(scheduledService(await readSchedule(), now).date, -1)
  await tx.update(standingRsvps).set({ writtenUntil: dayBefore }).where(gt(standingRsvps.writtenUntil, dayBefore))
}
