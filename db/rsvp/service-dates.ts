import { and, gt, gte, inArray, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { currentSchedule, readSchedule, storeSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { skippedDates } from '#db/tables/invitation.ts'
import { rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { addDays, fullDayText, weekdayOf } from '#db/values/dates.ts'
import { UserError } from '#db/values/errors.ts'
import { type ChangedSchedule, type Schedule, type StoredSchedule, scheduleChange } from '#db/values/schedule.ts'
import { weekdayText } from '#db/values/schedule-texts.ts'
import { currentService, nextService, scheduledService, serviceOn } from '#db/values/services.ts'
import { queueServiceChanges } from './queue-mail.ts'
import { isLive, oneOf } from './read.ts'
import { writeStandingRsvps } from './write-weeks.ts'

// The service date of each RSVP: set when it came, and moved when the schedule changes.

/**
 * Changes the given fields and confirms the rest. If the weekday changes, RSVPs for future services move along, and so
 * do skipped dates unless they are given. RSVPs that came under an unconfirmed default on another weekday get the
 * service that they were for.
 * @throws UserError 'invalid' for a skipped date without a service.
 */
export async function changeSchedule(input: unknown, call: Call): Promise<ChangedSchedule> {
  const sent = parseInput(scheduleChange, input)
  const { skippedDates: dates, skipReason: reason, ...change } = sent
  // What was missed belongs to the schedule as it was.
  await writeStandingRsvps(call)
  const { skipped, ...moved } = await transaction(async (tx) => {
    const before = await readSchedule()
    const after = { ...before, ...change, skippedDates: dates ?? before.skippedDates }
    const added = after.skippedDates.filter((date) => !before.skippedDates.includes(date))
    refuseNoService(added, after)
    const days = daysMoved(before, after, call.now)
    const movedRsvps = days === 0 ? 0 : await tx.$count(rsvps, and(isLive, upcoming(before, call.now)))
    await storeSchedule(tx, before, call.now, change)
    await audit(tx, call, 'schedule changed', Object.keys(sent).join(' '))
    if (dates !== undefined) await tx.delete(skippedDates).where(notInArray(skippedDates.date, dates))
    if (added.length > 0) await tx.insert(skippedDates).values(added.map((date) => ({ date, reason })))
    if (days !== 0 && dates === undefined) await moveSkippedDates(tx, before, days, call.now)
    if (days !== 0) await moveRsvps(tx, before, days, call.now)
    const held = before.skippedDates.filter((date) => !after.skippedDates.includes(date))
    const toldRsvps = await queueServiceChanges(tx, added, 'skipped', call)
    await queueServiceChanges(tx, held, 'held', call)
    await lookAgain(tx, call)
    return { skipped: added, movedRsvps, toldRsvps }
  })
  await writeStandingRsvps(call)
  return { ...(await currentSchedule(call.now)), ...moved, skippedRsvps: await countForServices(skipped) }
}

/** Checks only new dates: those skipped already may be on the weekday of an earlier schedule. */
function refuseNoService(dates: string[], { weekday }: Schedule): void {
  const wrong = dates.find((date) => weekdayOf(date) !== weekday)
  if (wrong === undefined) return
  const text = `There is no service on ${fullDayText(wrong)}: services are on ${weekdayText(weekday)}s. Give the day of one.`
  throw new UserError('invalid', text).at('skippedDates')
}

/**
 * Moves RSVPs for future services to another weekday, along with their service. If the previous day was never
 * confirmed, those for this week and earlier get the service that was next when they came. RSVPs that an administrator
 * entered after their service move along instead, because the moment of entry does not tell which service it was, and so
 * do those of households that come every week. If the weekday stays, every day stays: visitors were shown it.
 */
async function moveRsvps(tx: Transaction, before: StoredSchedule, days: number, now: Date): Promise<void> {
  const { date } = currentService(before, now)
  const movesAlong = sql`(${rsvps.standingId} IS NOT NULL
    OR ${rsvps.serviceDate} < coalesce(date(${rsvps.createdAt}), ''))`
  if (!before.confirmed) await chooseServices(tx, and(lte(rsvps.serviceDate, date), not(movesAlong)))
  const moving = before.confirmed ? upcoming(before, now) : or(gt(rsvps.serviceDate, date), movesAlong)
  // Not those of an earlier schedule on another weekday.
  const isThere = sql`CAST(strftime('%w', ${rsvps.serviceDate}) AS INTEGER) = ${before.weekday}`
  await tx
    .update(rsvps)
    .set({ serviceDate: sql`date(${rsvps.serviceDate}, ${`${days} days`})` })
    .where(and(moving, isThere))
  // Households whose first service moves would otherwise begin a week later.
  await tx
    .update(standingRsvps)
    .set({ since: sql`date(${standingRsvps.since}, ${`${days} days`})` })
    .where(gte(standingRsvps.since, earliestMoved(before, now)))
}

/** Otherwise services would be held in the weeks that were to be skipped. */
async function moveSkippedDates(tx: Transaction, before: StoredSchedule, days: number, now: Date): Promise<void> {
  const isAhead = (date: string) => weekdayOf(date) === before.weekday && date >= earliestMoved(before, now)
  const ahead = inArray(skippedDates.date, before.skippedDates.filter(isAhead))
  const moved = await tx.delete(skippedDates).where(ahead).returning()
  for (const { date, reason } of moved)
    await tx
      .insert(skippedDates)
      .values({ date: addDays(date, days), reason })
      .onConflictDoNothing()
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

/** Households are written again from this week's service on, where one is missing. */
async function lookAgain(tx: Transaction, { now }: Call): Promise<void> {
  const dayBefore = addDays(scheduledService(await readSchedule(), now).date, -1)
  await tx.update(standingRsvps).set({ writtenUntil: dayBefore }).where(gt(standingRsvps.writtenUntil, dayBefore))
}

function upcoming(schedule: Schedule, now: Date): SQL {
  return gte(rsvps.serviceDate, earliestMoved(schedule, now))
}

/** This week's service, even if it is skipped: the skipped date moves together with its RSVPs. */
export function earliestMoved(schedule: Schedule, now: Date): string {
  return scheduledService(schedule, now).date
}

/**
 * How many days future services move: to the nearest new weekday, or a week later if this week's service would then be
 * over.
 * @internal Exported for its test.
 */
export function daysMoved(before: Schedule, after: Schedule, now: Date): number {
  const days = ((after.weekday - before.weekday + 10) % 7) - 3
  if (days === 0) return 0
  const moved = addDays(earliestMoved(before, now), days)
  return serviceOn(after, moved).endsAt > now.toISOString() ? days : days + 7
}

/** Deleted RSVPs do not count. */
export async function countForServices(dates: string[]): Promise<number> {
  return db.$count(rsvps, and(isLive, inArray(rsvps.serviceDate, dates)))
}
