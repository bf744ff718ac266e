import * as z from 'zod/mini'
import { isTimeZone } from '#db/values/dates.ts'
import { calendarDay, listOf } from '#db/values/schemas.ts'

/** Weeks by name, as they are typed and stand in addresses; every other week is named by the day of its service. */
export const weekNames = ['this', 'next', 'last', 'all'] as const
/** How many services visitors can choose from. */
export const SERVICES_OFFERED = 8
const DURATION_MAXIMUM = 24 * 60
const CLOSING_MAXIMUM = 7 * 24 * 60
export const SKIPPED_DATES_MAXIMUM = 200

const notWeekday = 'A weekday is a number from 0 for Sunday to 6 for Saturday.'
const notTime = 'A time is written HH:mm, e.g. 10:00 or 18:30.'
const notDuration = `A length is a whole number of minutes, from 1 to ${DURATION_MAXIMUM}.`
const notClosing = `Give the minutes before the start, from 0 to ${CLOSING_MAXIMUM}, or null to close at the end.`

export const tooManyDates = `At most ${SKIPPED_DATES_MAXIMUM} dates can be skipped. Remove some that are over.`
const dates = listOf(calendarDay, SKIPPED_DATES_MAXIMUM, 'Give the skipped dates as a list.', tooManyDates)

const schedule = z.object({
  /** From 0 for Sunday to 6 for Saturday. */
  weekday: z.int(notWeekday).check(z.gte(0, notWeekday), z.lte(6, notWeekday)),
  /** On the clock of the time zone, `HH:mm`. */
  startTime: z.string(notTime).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, notTime)),
  durationMinutes: z.int(notDuration).check(z.gte(1, notDuration), z.lte(DURATION_MAXIMUM, notDuration)),
  /** Of the IANA's database, e.g. `America/Chicago`. */
  timeZone: z
    .string('A time zone is a name, e.g. America/Chicago.')
    .check(z.refine(isTimeZone, 'There is no such time zone. Give the name of one, e.g. America/Chicago.')),
  /** How long before the start of a service RSVPs are for the next one. Null is at its end. */
  closesMinutesBefore: z.nullable(z.int(notClosing).check(z.gte(0, notClosing), z.lte(CLOSING_MAXIMUM, notClosing))),
  /** Days without a service, e.g. `2026-12-26`, in order. */
  skippedDates: z.pipe(
    dates,
    z.transform((days: string[]) => Array.from(new Set(days)).sort()),
  ),
})
export type Schedule = z.output<typeof schedule>

export type StoredSchedule = Schedule & {
  /** Whether an administrator has set it. */
  confirmed: boolean
  /** The day since when services are on this weekday at this time. */
  since: string
  /** The day of the service that was held last before that; null where the schedule was only a guess then. */
  previousService: string | null
  /** The day of the service of which no one will say how many came. */
  uncountedService: string | null
}

const notMove = 'Give the days that RSVPs move as a whole number from -13 to 13.'

/** Some of it, and nothing else. */
export const scheduleChange = z
  .strictObject(
    {
      ...z.partial(schedule).shape,
      /** How far RSVPs move to another weekday, e.g. back where they were; left out, to the nearest day to come. */
      moveDays: z.optional(z.int(notMove).check(z.gte(-13, notMove), z.lte(13, notMove))),
    },
    'Send some of weekday, startTime, durationMinutes, timeZone …',
  )
  .check(z.refine((change) => Object.keys(change).length > 0, 'Name at least one field of the schedule to change.'))

/** Names one day of a service. */
export const serviceDay = z.object({ date: calendarDay })

const moment = z.string()

/** A service. Its moments are ISO 8601 in UTC. `closesAt` is when RSVPs are for the next one. */
const service = z.object({ date: z.string(), startsAt: moment, endsAt: moment, closesAt: moment })
export type Service = z.output<typeof service>

export const currentSchedule = z.extend(schedule, {
  /** Whether an administrator has set it. Until then it is the default, in the time zone of the server. */
  confirmed: z.boolean(),
  /** The day of the service that was held last, also where services were on another weekday then. */
  lastService: z.string(),
  services: z.array(service),
})
export type CurrentSchedule = z.output<typeof currentSchedule>

/** The same after a change. */
export const changedSchedule = z.extend(currentSchedule, {
  /** How many RSVPs came along because the service is on another day now. */
  movedRsvps: z.int(),
  /** How many days they came along: `moveDays` with the opposite sign brings them back. */
  movedDays: z.int(),
  /** How many there are for the services that are skipped from now on. */
  skippedRsvps: z.int(),
  /** How many skipped dates came along with the service. */
  movedSkippedDates: z.int(),
})
export type ChangedSchedule = z.output<typeof changedSchedule>
