import { getTableColumns, sql } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { serverTimeZone } from '#db/values/time-zone.ts'
import type { Schedule, StoredSchedule } from './schema.ts'
import { schedules, skippedDates } from './table.ts'

const { id: _id, revision: _revision, ...columns } = getTableColumns(schedules)

const skipped = sql<string>`(SELECT json_group_array(day.date)
  FROM (SELECT ${skippedDates.date} AS date FROM ${skippedDates} ORDER BY 1) AS day)`

const storedSchedule = db
  .select({ ...columns, skippedDates: skipped })
  .from(schedules)
  .prepare()

/** The stored schedule; while there is none, Saturday at 10:00 where the server is. */
export async function readSchedule(): Promise<StoredSchedule> {
  const [row] = await storedSchedule.all()
  if (row === undefined)
    return { ...defaultSchedule(), since: '', previousService: null, uncountedService: null, confirmed: false }
  return { ...row, skippedDates: JSON.parse(row.skippedDates), confirmed: true }
}

/** Used until an administrator sets the schedule. */
function defaultSchedule(): Schedule {
  return {
    weekday: 6,
    startTime: '10:00',
    durationMinutes: 120,
    timeZone: serverTimeZone(),
    closesMinutesBefore: null,
    skippedDates: [],
  }
}

/**
 * The time zone of all dates and times that people read: the church's once an administrator has confirmed the schedule,
 * until then the server's. It equals the `timeZone` of the schedule.
 */
export async function shownTimeZone(): Promise<string> {
  const { timeZone } = await readSchedule()
  return timeZone
}
