import { getTableColumns, sql } from 'drizzle-orm'
import { serverTimeZone } from '#db/config/config.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { nextRevision, schedules, skippedDates } from '#db/tables/invitation.ts'
import type { CurrentSchedule, Schedule, StoredSchedule } from '#db/values/schedule.ts'
import { lastServiceDay, offeredServices, scheduledService } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { Call } from './call.ts'

export async function getSchedule({ now }: Call): Promise<CurrentSchedule> {
  return currentSchedule(now)
}

export async function currentSchedule(now: Date): Promise<CurrentSchedule> {
  const stored = await readSchedule()
  const { since: _, previousService: __, uncountedService: ___, ...schedule } = stored
  return { ...schedule, lastService: lastServiceDay(stored, now), services: offeredServices(schedule, now) }
}

/** Stores the change of the schedule, or the whole schedule if there was only the default. */
export async function storeSchedule(
  tx: Transaction,
  before: StoredSchedule,
  now: Date,
  change: Partial<Schedule>,
): Promise<void> {
  const after = { ...before, ...change }
  const revision = nextRevision(now)
  const begins = (['weekday', 'startTime', 'timeZone'] as const).some((name) => after[name] !== before[name])
  await tx
    .insert(schedules)
    .values({ ...after, since: dayIn(after.timeZone, now), revision })
    .onConflictDoUpdate({
      target: schedules.id,
      set: {
        ...change,
        // Today it may be too late for one.
        ...(begins && { since: scheduledService(after, now).date, previousService: lastServiceDay(before, now) }),
        revision,
      },
    })
}

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
