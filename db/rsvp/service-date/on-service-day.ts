import { type SQL, sql } from 'drizzle-orm'
import { schedules } from '#db/schedule/table.ts'

/**
 * Not where the service was moved to another day of the week since the schedule was read: its RSVPs have moved already. Those
 * for services before that have not.
 */
export function isOnServiceDay(date: SQL): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${schedules} WHERE ${schedules.weekday} <> CAST(strftime('%w', ${date}) AS INTEGER)
    AND ${date} > coalesce(${schedules.previousService}, ''))`
}
