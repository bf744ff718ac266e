import { and, gt, gte, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { isLive } from '#db/rsvp/list/conditions.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import type { Schedule, StoredSchedule } from '#db/schedule/schema.ts'
import { currentService, serviceOn } from '#db/schedule/services.ts'
import { schedules } from '#db/schedule/table.ts'
import { db } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'

/** Counts the RSVPs for services to come that `moveRsvps` moves to another day. */
export function countMoving(before: Schedule, days: number, now: Date) {
  const moving = days === 0 ? sql`false` : upcoming(before, now)
  return db.select({ count: sql<number>`count(*)` }).from(rsvps).where(and(isLive, moving))
}

/**
 * Moves RSVPs for services to come with their service, to another day of the week; for the batch that stores the schedule,
 * after that statement. Where no one had confirmed the day it was on before, it also takes the stamp from those for this week
 * and earlier ones: `stampServiceDates` gives them the right one. Those that an administrator entered after their service
 * move along with it instead: when they came does not tell which it was. On the same day of the week every stamp stays:
 * visitors were shown it.
 */
export function moveRsvps(before: StoredSchedule, after: Schedule, days: number, now: Date) {
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
  return sql`EXISTS (SELECT 1 FROM ${schedules} WHERE ${schedules.weekday} = ${weekday})`
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
 */
export function daysMoved(before: Schedule, after: Schedule, now: Date): number {
  const days = ((after.weekday - before.weekday + 10) % 7) - 3
  if (days === 0) return 0
  const moved = addDays(earliestMoved(before, now), days)
  return serviceOn(after, moved).endsAt > now.toISOString() ? days : days + 7
}
