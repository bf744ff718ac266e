import { and, count, eq, exists, gt, gte, inArray, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { currentSchedule, storeSchedule } from '#db/schedule/operations.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { type ChangedSchedule, type Schedule, type StoredSchedule, scheduleChange } from '#db/schedule/schema.ts'
import { currentService, serviceOn } from '#db/schedule/services.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { db } from '#db/storage/client.ts'
import { addDays, fullDayText, weekdayOf } from '#db/values/dates.ts'
import { isLive } from './conditions.ts'
import { countForServices, stampServiceDates } from './service-dates.ts'
import { rsvps, UNSTAMPED } from './table.ts'

/**
 * Changes what is given, and confirms the rest. Where the service is on another day of the week from now on, the RSVPs
 * for services to come move along, and so do skipped dates where none are given. Those that came while there was only a
 * default on another day are stamped anew.
 * @throws UserError 'invalid' for a skipped date without a service, and for `moveDays` that lead to another weekday.
 */
export const changeSchedule = operation(scheduleChange, changeOnce)

async function changeOnce(sent: z.output<typeof scheduleChange>, call: Call): Promise<ChangedSchedule> {
  const { skippedDates: dates, moveDays, ...change } = sent
  const before = await readSchedule()
  const after = { ...before, ...change, skippedDates: dates ?? before.skippedDates }
  const skipped = after.skippedDates.filter((date) => !before.skippedDates.includes(date))
  refuseNoService(skipped, after)
  const days = moveDays ?? daysMoved(before, after, call.now)
  refuseOtherWeekday(days, before, after)
  const names = Object.keys(sent)
  const [moving, confirmed] = await db.batch([
    countMoving(before, days, call.now),
    storeSchedule(before, call.now, change).returning({ id: schedules.id }),
    auditedIfChanged(call, 'schedule changed', names.join(' ')),
    ...(dates === undefined ? moveSkippedDates(before, days, call.now) : replaceSkippedDates(dates)),
    ...moveRsvps(before, after, days, call.now),
  ])
  // Another administrator has moved the service to another day of the week since it was read: RSVPs move from there.
  if (confirmed.length === 0) return changeOnce(sent, call)
  await stampServiceDates()
  return {
    ...(await currentSchedule(call.now)),
    movedRsvps: moving[0]?.count ?? 0,
    movedDays: days,
    skippedRsvps: await countForServices(skipped),
    movedSkippedDates: dates === undefined ? movingSkippedDates(before, days, call.now).length : 0,
  }
}

/** What is skipped already may be on the weekday of an earlier schedule. */
function refuseNoService(dates: string[], { weekday }: Schedule): void {
  const wrong = dates.find((date) => weekdayOf(date) !== weekday)
  if (wrong === undefined) return
  const message = `There is no service on ${fullDayText(wrong)}: services are on ${weekdayText(weekday)}s. Give the day of one.`
  throw new UserError('invalid', message, [{ path: 'skippedDates', message }])
}

function refuseOtherWeekday(days: number, before: Schedule, after: Schedule): void {
  const isOther = after.weekday !== before.weekday
  if ((days !== 0) === isOther && (before.weekday + days + 14) % 7 === after.weekday) return
  const message = 'Give moveDays only together with another weekday, as the days from the one to the other.'
  throw new UserError('invalid', message, [{ path: 'moveDays', message }])
}

/** Counts the RSVPs for services to come that `moveRsvps` moves to another day. */
function countMoving(before: Schedule, days: number, now: Date) {
  const moving = days === 0 ? sql`false` : upcoming(before, now)
  return db.select({ count: count() }).from(rsvps).where(and(isLive, moving))
}

/**
 * Moves RSVPs for services to come with their service, to another day of the week; for the batch that stores the schedule,
 * after that statement. Where no one had confirmed the day it was on before, it also takes the stamp from those for this week
 * and earlier ones: `stampServiceDates` gives them the right one. Those that an administrator entered after their service
 * move along with it instead: when they came does not tell which it was. On the same day of the week every stamp stays:
 * visitors were shown it.
 */
function moveRsvps(before: StoredSchedule, after: Schedule, days: number, now: Date) {
  if (days === 0) return []
  const { date } = currentService(before, now)
  const cameAfterwards = sql`${rsvps.serviceDate} < coalesce(date(${rsvps.createdAt}), '')`
  const unstamp = db
    .update(rsvps)
    .set({ serviceDate: UNSTAMPED })
    .where(and(lte(rsvps.serviceDate, date), not(cameAfterwards), isOnDayOf(after)))
  const moving = before.confirmed ? upcoming(before, now) : or(gt(rsvps.serviceDate, date), cameAfterwards)
  // Not those that another administrator has moved meanwhile.
  const isThere = sql`CAST(strftime('%w', ${rsvps.serviceDate}) AS INTEGER) = ${before.weekday}`
  const move = db
    .update(rsvps)
    .set({ serviceDate: sql`date(${rsvps.serviceDate}, ${`${days} days`})` })
    .where(and(moving, isThere))
  return before.confirmed ? [move] : [unstamp, move]
}

/** Not where another administrator was first and has put the service on another day of the week. */
function isOnDayOf({ weekday }: Schedule): SQL {
  return exists(db.select().from(schedules).where(eq(schedules.weekday, weekday)))
}

function upcoming(schedule: Schedule, now: Date): SQL {
  return gte(rsvps.serviceDate, earliestMoved(schedule, now))
}

/** This week's service, also where it is skipped: the skipped date moves, and the RSVPs for it stay with it. */
export function earliestMoved(schedule: Schedule, now: Date): string {
  return currentService({ ...schedule, skippedDates: [] }, now).date
}

/**
 * How many days a service to come is moved: to the nearest day on which the service is from now on; a week later where
 * this week's would be over then.
 * @internal Exported for its test.
 */
export function daysMoved(before: Schedule, after: Schedule, now: Date): number {
  const days = ((after.weekday - before.weekday + 10) % 7) - 3
  if (days === 0) return 0
  const moved = addDays(earliestMoved(before, now), days)
  return serviceOn(after, moved).endsAt > now.toISOString() ? days : days + 7
}

/** The skipped dates to come that `moveSkippedDates` moves to another day. */
function movingSkippedDates(before: Schedule, days: number, now: Date): string[] {
  if (days === 0) return []
  const isToCome = (date: string) => serviceOn(before, date).endsAt > now.toISOString()
  return before.skippedDates.filter((date) => weekdayOf(date) === before.weekday && isToCome(date))
}

/** Moves skipped dates along with the service and its RSVPs: otherwise it would be held on those weeks. */
function moveSkippedDates(before: Schedule, days: number, now: Date) {
  const dates = movingSkippedDates(before, days, now)
  if (dates.length === 0) return []
  const moved = sql`date(${skippedDates.date}, ${`${days} days`})`
  const isMoving = inArray(skippedDates.date, dates)
  return [
    // What another administrator has unskipped meanwhile stays so.
    db.insert(skippedDates).select(sql`SELECT ${moved} FROM ${skippedDates} WHERE ${isMoving}`).onConflictDoNothing(),
    db.delete(skippedDates).where(isMoving),
  ] as const
}

function replaceSkippedDates(dates: string[]) {
  const inserted = db.insert(skippedDates).values(dates.map((date) => ({ date })))
  return [db.delete(skippedDates), ...(dates.length === 0 ? [] : [inserted])]
}
