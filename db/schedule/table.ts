import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row at most: until an administrator sets the schedule there is none. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: integer().primaryKey().default(1),
    weekday: integer().notNull(),
    startTime: text('start_time').notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    timeZone: text('time_zone').notNull(),
    closesMinutesBefore: integer('closes_minutes_before'),
    /** The day since when services are on this weekday at this time: calendars must not rewrite the past. */
    since: text().notNull(),
    previousService: text('previous_service'),
    uncountedService: text('uncounted_service'),
    /** Rises with every change, also of the skipped dates, above that of the event: calendars show both. */
    revision: integer().notNull().default(1),
  },
  (table) => [check('one_schedule', sql`${table.id} = 1`)],
)

export const skippedDates = sqliteTable('skipped_dates', {
  date: text().primaryKey(),
  /** Told to those who had said that they come. */
  reason: text(),
})
