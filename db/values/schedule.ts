import * as z from 'zod/mini'
import { isTimeZone } from './dates.ts'
import { absentWhenEmpty, calendarDay, listOf, storableText } from './schemas.ts'

/** The weeks that have a name in commands and addresses; others are named by the day of their service. */
export const weekNames = ['this', 'next', 'last', 'all'] as const
/** How many services visitors can choose from. */
export const SERVICES_OFFERED = 8
export const DURATION_MAXIMUM = 24 * 60
export const CLOSING_MAXIMUM = 7 * 24 * 60
/** @public for tests. */
export const SKIPPED_DATES_MAXIMUM = 200

const notWeekday = 'A weekday is a number from 0 for Sunday to 6 for Saturday.'
const notTime = 'A time is written HH:mm, e.g. 10:00 or 18:30.'
const notDuration = `A length is a whole number of minutes, from 1 to ${DURATION_MAXIMUM}.`
const notClosing = `Give the minutes before the start, from 0 to ${CLOSING_MAXIMUM}, or null to close at the end.`

const tooManyDates = `At most ${SKIPPED_DATES_MAXIMUM} dates can be skipped. Remove some that are over.`
const dates = listOf(calendarDay, SKIPPED_DATES_MAXIMUM, 'Give the skipped dates as a list.', tooManyDates)

const schedule = z.object({
  /** From 0 for Sunday to 6 for Saturday. */
  weekday: z.int(notWeekday).check(z.gte(0, notWeekday), z.lte(6, notWeekday)),
  /** In local time, `HH:mm`. */
  startTime: z.string(notTime).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, notTime)),
  durationMinutes: z.int(notDuration).check(z.gte(1, notDuration), z.lte(DURATION_MAXIMUM, notDuration)),
  /** A name of the IANA database, e.g. `America/Chicago`. */
  timeZone: z
    .string('A time zone is a name, e.g. America/Chicago.')
    .check(z.refine(isTimeZone, 'There is no such time zone. Give the name of one, e.g. America/Chicago.')),
  /** How long before its start a service closes for RSVPs; null closes it at its end. */
  closesMinutesBefore: z.nullable(z.int(notClosing).check(z.gte(0, notClosing), z.lte(CLOSING_MAXIMUM, notClosing))),
  /** Days without a service, e.g. `2026-12-26`, in order. */
  skippedDates: dates.check(z.overwrite((days) => Array.from(new Set(days)).sort())),
})
export type Schedule = z.output<typeof schedule>

export type StoredSchedule = Schedule & {
  /** Whether an administrator has set it. */
  confirmed: boolean
  /** The day since which services are on this weekday at this time. */
  since: string
  /** The day of the last service before that; null if the schedule was not confirmed then. */
  previousService: string | null
  /** The day of the service whose turnout was skipped. */
  uncountedService: string | null
}

const skipReason = absentWhenEmpty(storableText('The reason', 200))

export const scheduleChange = z
  .strictObject(
    {
      ...z.partial(schedule).shape,
      /** The reason why these services are skipped, sent to those who had said yes. */
      skipReason,
    },
    'Send some of weekday, startTime, durationMinutes, timeZone …',
  )
  .check(
    // A reason alone changes nothing, and must not confirm the default schedule.
    z.refine(
      (change) => Object.keys(change).some((name) => name !== 'skipReason'),
      'Name at least one field of the schedule to change.',
    ),
  )

const moment = z.string()

/** Moments are ISO 8601 in UTC. From `closesAt` on, RSVPs are for the next service. */
const service = z.object({ date: z.string(), startsAt: moment, endsAt: moment, closesAt: moment })
export type Service = z.output<typeof service>

export const currentSchedule = z.extend(schedule, {
  /** Whether an administrator has set it. Until then it is the default, in the time zone of the server. */
  confirmed: z.boolean(),
  /** The day of the last service that was held, even if it was on another weekday. */
  lastService: z.string(),
  services: z.array(service),
})
export type CurrentSchedule = z.output<typeof currentSchedule>

/** The schedule after a change. */
export const changedSchedule = z.extend(currentSchedule, {
  /** How many RSVPs were moved to another weekday. */
  movedRsvps: z.int(),
  /** How many RSVPs are for newly skipped services. */
  skippedRsvps: z.int(),
  /** How many of them get a message five minutes later. */
  toldRsvps: z.int(),
})
export type ChangedSchedule = z.output<typeof changedSchedule>

const TURNOUT_MAXIMUM = 100_000
const notTurnout = `Give the number of people who came as a whole number from 0 to 100,000.`

const people = z.int(notTurnout).check(z.gte(0, notTurnout), z.lte(TURNOUT_MAXIMUM, notTurnout))

/** A turnout of null removes the number. */
export const turnoutChange = z.object({ date: calendarDay, turnout: z.nullable(people) })

/** `countedAt` is when the number was stored, ISO 8601 in UTC. Both are null if it was not counted. */
export const changedTurnout = z.object({
  date: z.string(),
  turnout: z.nullable(z.int()),
  countedAt: z.nullable(z.string()),
})
export type ChangedTurnout = z.output<typeof changedTurnout>
