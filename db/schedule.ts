import { getTableColumns, inArray, notInArray, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { serverTimeZone } from '#db/config/config.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { nextRevision, schedules, skippedDates } from '#db/tables/invitation.ts'
import { addDays, fullDayText, weekdayOf } from '#db/values/dates.ts'
import { UserError } from '#db/values/errors.ts'
import type { CurrentSchedule, Schedule, StoredSchedule, scheduleChange } from '#db/values/schedule.ts'
import { lastServiceDay, offeredServices, scheduledService, serviceOn, weekdayText } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { audit } from './audit.ts'
import type { Call } from './call.ts'

export async function getSchedule({ now }: Call): Promise<CurrentSchedule> {
  const stored = await readSchedule()
  const { since: _, previousService: __, uncountedService: ___, ...schedule } = stored
  return { ...schedule, lastService: lastServiceDay(stored, now), services: offeredServices(schedule, now) }
}

type StoredChange = {
  before: StoredSchedule
  /** How many days the services to come move; 0 if the weekday stays. */
  days: number
  /** The days that are skipped from now on, and those that no longer are. */
  skipped: string[]
  held: string[]
}

/**
 * Stores a change of the schedule, or the whole schedule if there was only the default. Skipped dates move along to
 * another weekday unless they are given.
 * @throws UserError 'invalid' for a newly skipped date without a service.
 */
export async function storeSchedule(
  tx: Transaction,
  sent: z.output<typeof scheduleChange>,
  call: Call,
): Promise<StoredChange> {
  const { skippedDates: dates, skipReason: reason, ...change } = sent
  const { now } = call
  const before = await readSchedule()
  const after = { ...before, ...change, skippedDates: dates ?? before.skippedDates }
  const skipped = after.skippedDates.filter((date) => !before.skippedDates.includes(date))
  const held = before.skippedDates.filter((date) => !after.skippedDates.includes(date))
  refuseNoService(skipped, after)
  const begins = (['weekday', 'startTime', 'timeZone'] as const).some((name) => after[name] !== before[name])
  // Today it may be too late for a service.
  const beginning = { since: scheduledService(after, now).date, previousService: lastServiceDay(before, now) }
  const revision = nextRevision(now)
  await tx
    .insert(schedules)
    .values({ ...after, since: dayIn(after.timeZone, now), revision })
    .onConflictDoUpdate({ target: schedules.id, set: { ...change, ...(begins && beginning), revision } })
  await audit(tx, call, 'schedule changed', Object.keys(sent).join(' '))
  if (dates !== undefined) await tx.delete(skippedDates).where(notInArray(skippedDates.date, dates))
  if (skipped.length > 0) await tx.insert(skippedDates).values(skipped.map((date) => ({ date, reason })))
  const days = daysMoved(before, after, now)
  if (days !== 0 && dates === undefined) await moveSkippedDates(tx, before, days, now)
  return { before, days, skipped, held }
}

/** Checks only new dates: those skipped already may be on the weekday of an earlier schedule. */
function refuseNoService(dates: string[], { weekday }: Schedule): void {
  const wrong = dates.find((date) => weekdayOf(date) !== weekday)
  if (wrong === undefined) return
  const text = `There is no service on ${fullDayText(wrong)}: services are on ${weekdayText(weekday)}s. Give the day of one.`
  throw new UserError('invalid', text).at('skippedDates')
}

/**
 * How many days future services move: to the nearest new weekday, or a week later if this week's service would then be
 * over.
 * @internal Exported for its test.
 */
export function daysMoved(before: Schedule, after: Schedule, now: Date): number {
  const days = ((after.weekday - before.weekday + 10) % 7) - 3
  if (days === 0) return 0
  const moved = addDays(scheduledService(before, now).date, days)
  return serviceOn(after, moved).endsAt > now.toISOString() ? days : days + 7
}

/** Moves skipped dates along with the services, so that the same weeks are skipped. */
async function moveSkippedDates(tx: Transaction, before: StoredSchedule, days: number, now: Date): Promise<void> {
  const { date: earliest } = scheduledService(before, now)
  const ahead = before.skippedDates.filter((date) => weekdayOf(date) === before.weekday && date >= earliest)
  const removed = await tx.delete(skippedDates).where(inArray(skippedDates.date, ahead)).returning()
  for (const { date, reason } of removed)
    await tx
      .insert(skippedDates)
      .values({ date: addDays(date, days), reason })
      .onConflictDoNothing()
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
  if (row !== undefined) return { ...row, skippedDates: JSON.parse(row.skippedDates), confirmed: true }
  return {
    weekday: 6,
    startTime: '10:00',
    durationMinutes: 120,
    timeZone: serverTimeZone(),
    closesMinutesBefore: null,
    skippedDates: [],
    since: '',
    previousService: null,
    uncountedService: null,
    confirmed: false,
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
