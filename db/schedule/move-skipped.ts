import { inArray, sql } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { weekdayOf } from '#db/values/dates.ts'
import type { Schedule } from './schema.ts'
import { serviceOn } from './services.ts'
import { skippedDates } from './table.ts'

/** The skipped dates to come that `moveSkippedDates` moves to another day. */
export function movingSkippedDates(before: Schedule, days: number, now: Date): string[] {
  if (days === 0) return []
  const isToCome = (date: string) => serviceOn(before, date).endsAt > now.toISOString()
  return before.skippedDates.filter((date) => weekdayOf(date) === before.weekday && isToCome(date))
}

/** Moves skipped dates along with the service and its RSVPs: otherwise it would be held on those weeks. */
export function moveSkippedDates(before: Schedule, days: number, now: Date) {
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
