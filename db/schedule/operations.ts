import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audited, auditedIfChanged } from '#db/audit/entry.ts'
import { nextRevision } from '#db/calendar/revision.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { countForServices } from '#db/rsvp/service-date/count.ts'
import { countMoving, daysMoved, moveRsvps } from '#db/rsvp/service-date/move.ts'
import { stampServiceDates } from '#db/rsvp/service-date/stamp.ts'
import { db } from '#db/storage/client.ts'
import { dayText, fullDayText, weekdayOf } from '#db/values/dates.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { moveSkippedDates, movingSkippedDates } from './move-skipped.ts'
import { readSchedule } from './read-schedule.ts'
import { refuseGuess } from './refuse-guess.ts'
import {
  type ChangedSchedule,
  type CurrentSchedule,
  type Schedule,
  SKIPPED_DATES_MAXIMUM,
  type StoredSchedule,
  scheduleChange,
  serviceDay,
  tooManyDates,
} from './schema.ts'
import { lastServiceDay, offeredServices } from './services.ts'
import { schedules, skippedDates } from './table.ts'
import { weekdayText } from './texts.ts'

/** When services are, and the next ones for which an RSVP can be sent. */
export const getSchedule = operationWithoutInput(async ({ now }): Promise<CurrentSchedule> => current(now))

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
    confirm(before, call.now, change).returning({ id: schedules.id }),
    auditedIfChanged(call, 'schedule changed', names.join(' ')),
    ...(dates === undefined ? moveSkippedDates(before, days, call.now) : replaceSkippedDates(dates)),
    ...moveRsvps(before, after, days, call.now),
  ])
  // Another administrator has moved the service to another day of the week since it was read: RSVPs move from there.
  if (confirmed.length === 0) return changeOnce(sent, call)
  await stampServiceDates()
  const [skipping] = await countForServices(skipped)
  return {
    ...(await current(call.now)),
    movedRsvps: moving[0]?.count ?? 0,
    movedDays: days,
    skippedRsvps: skipping?.count ?? 0,
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

/**
 * Leaves a service out. The RSVPs for it stay.
 * @throws UserError 'invalid' when too many are left out already; as `refuseGuess`.
 */
export const skipService = operation(serviceDay, async ({ date }, call): Promise<CurrentSchedule> => {
  const before = await readSchedule()
  refuseGuess(before)
  if (before.skippedDates.length >= SKIPPED_DATES_MAXIMUM && !before.skippedDates.includes(date))
    throw new UserError('invalid', tooManyDates, [{ path: 'date', message: tooManyDates }])
  await db.batch([
    confirm(before, call.now),
    db.insert(skippedDates).values({ date }).onConflictDoNothing(),
    audited(call, 'schedule changed', `skipped ${date}`),
  ])
  return current(call.now)
})

/**
 * Holds a service that was left out.
 * @throws UserError 'not-found' when it was not; as `refuseGuess`.
 */
export const unskipService = operation(serviceDay, async ({ date }, call): Promise<CurrentSchedule> => {
  const before = await readSchedule()
  refuseGuess(before)
  if (!before.skippedDates.includes(date))
    throw new UserError('not-found', `The service on ${dayText(date)} is not skipped.`)
  await db.batch([
    confirm(before, call.now),
    db.delete(skippedDates).where(eq(skippedDates.date, date)),
    audited(call, 'schedule changed', `unskipped ${date}`),
  ])
  return current(call.now)
})

async function current(now: Date): Promise<CurrentSchedule> {
  const stored = await readSchedule()
  const { since: _, previousService: __, uncountedService: ___, ...schedule } = stored
  return { ...schedule, lastService: lastServiceDay(stored, now), services: offeredServices(schedule, now) }
}

/**
 * Stores what is changed of the schedule, or all of it where there was only the default. Nothing where the day of the week is
 * not what it was.
 */
function confirm(before: StoredSchedule, now: Date, change: Partial<Schedule> = {}) {
  const {
    confirmed: _,
    skippedDates: __,
    previousService: ___,
    uncountedService: ____,
    ...times
  } = { ...before, ...change }
  const revision = nextRevision(now)
  const since = dayIn(times.timeZone, now)
  const begins = (['weekday', 'startTime', 'timeZone'] as const).some((name) => times[name] !== before[name])
  return db
    .insert(schedules)
    .values({ ...times, since, revision })
    .onConflictDoUpdate({
      target: schedules.id,
      setWhere: eq(schedules.weekday, before.weekday),
      set: { ...change, ...(begins && { since, previousService: lastServiceDay(before, now) }), revision },
    })
}

function replaceSkippedDates(dates: string[]) {
  return [
    db.delete(skippedDates),
    db.insert(skippedDates).select(sql`SELECT value FROM json_each(${JSON.stringify(dates)})`),
  ] as const
}
