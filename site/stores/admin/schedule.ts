import {
  type ChangedSchedule,
  type CurrentSchedule,
  type Schedule,
  type Service,
  scheduleChange,
} from '#db/schedule/schema.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { viewAddress } from '#site/lib/admin-page.ts'
import { request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import type { Notice } from '#site/stores/toasts.ts'
import { dayText } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { locale, plural, t } from '#site/texts/texts.ts'
import { differing, makeChangeable, tellFailedAct } from './changeable.ts'

/** The schedule, to be changed on this page. */
export const schedule = makeChangeable(
  createResource('/api/schedule', (error) => tellFailedAct(t('Failed to load the schedule'), error)),
)

/** Shows the new times at once and sends them, which confirms the rest; reverts that if it fails. */
export function changeSchedule(current: CurrentSchedule, change: Partial<Schedule>): Promise<boolean> {
  return changeAndTell(current, {
    show: (shown) => ({ ...shown, ...change }),
    read: async () => change,
    tell: (reply) => {
      const {
        movedRsvps,
        movedSkippedDates,
        services: [next],
      } = reply
      const description = [
        ...(movedRsvps > 0
          ? [plural(movedRsvps, '{count} response moved to the new day.', '{count} responses moved to the new day.')]
          : []),
        ...(movedSkippedDates > 0 ? [t('The skipped dates moved along: look at them below.')] : []),
        ...nextText(next),
      ].join(' ')
      // Before that there was only a guess, to which nothing leads back.
      const isUndone = current.confirmed && reply.movedDays !== 0
      const onPress = () => undoChange(current, change, reply)
      const undo = { label: t('Undo'), altText: t('Take the change back'), onPress }
      return { title: t('Schedule Saved'), description, ...(isUndone && { action: undo }) }
    },
  })
}

/** Brings back the times that were changed; responses and skipped dates return as many days as they have moved. */
function undoChange(before: CurrentSchedule, change: Partial<Schedule>, changed: ChangedSchedule): Promise<boolean> {
  const names = Object.keys(change)
  const times: Partial<Schedule> = Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)))
  const skipped = changed.movedSkippedDates > 0 ? { skippedDates: before.skippedDates } : {}
  return changeAndTell(changed, {
    show: (shown) => ({ ...shown, ...times, ...skipped }),
    read: async () => ({ ...times, ...skipped, moveDays: -changed.movedDays }),
    tell: ({ movedRsvps, services: [next] }) => ({
      title: t('Schedule Restored'),
      description: [
        ...(movedRsvps > 0
          ? [plural(movedRsvps, '{count} response moved back.', '{count} responses moved back.')]
          : []),
        ...nextText(next),
      ].join(' '),
    }),
  })
}

function nextText(next: Service | undefined): string[] {
  return next ? [t('The next service is on {day}.', { day: dayText(next.date) })] : []
}

/** Leaves a service out. The responses for it stay. */
export function skipService(current: CurrentSchedule, date: string): Promise<boolean> {
  return changeSkipped(
    current,
    (dates) => [...dates, date].sort(),
    ({ skippedRsvps }) => ({
      title: t('Service Skipped'),
      description: [
        t('There is no service on {day}.', { day: dayText(date) }),
        ...(skippedRsvps > 0
          ? [
              plural(
                skippedRsvps,
                '{count} response for that day will be kept: let people know.',
                '{count} responses for that day will be kept: let people know.',
              ),
            ]
          : []),
      ].join(' '),
      ...(skippedRsvps > 0 && {
        action: {
          label: t('Whom to call'),
          altText: t('Show who wanted to come'),
          onPress: () => location.assign(`${viewAddress({ week: date })}#to-call`),
        },
      }),
    }),
  )
}

/** Holds a service that was left out. */
export function holdService(current: CurrentSchedule, date: string): Promise<boolean> {
  return changeSkipped(
    current,
    (dates) => dates.filter((skipped) => skipped !== date),
    () => ({
      title: t('Service Restored'),
      description: t('There is a service on {day} again.', { day: dayText(date) }),
    }),
  )
}

function changeSkipped(
  current: CurrentSchedule,
  change: (dates: string[]) => string[],
  tell: (reply: ChangedSchedule) => Notice,
): Promise<boolean> {
  return changeAndTell(current, {
    show: (shown) => ({ ...shown, skippedDates: change(shown.skippedDates) }),
    // The list is sent as a whole, and another administrator may have changed it since this page was loaded.
    read: async () => {
      const { skippedDates } = await (await request('GET /api/schedule')).json()
      return { skippedDates: change(skippedDates) }
    },
    tell,
  })
}

function changeAndTell(
  current: CurrentSchedule,
  {
    show,
    read,
    tell,
  }: {
    show: (shown: CurrentSchedule) => CurrentSchedule
    /** Makes what is sent. */
    read: () => Promise<Partial<Schedule> & { moveDays?: number }>
    tell: (reply: ChangedSchedule) => Notice
  },
): Promise<boolean> {
  let reply: ChangedSchedule
  return schedule.change(current, {
    show: (shown) => ({ ...show(shown), confirmed: true }),
    send: async () => {
      reply = await (await request('PATCH /api/schedule', { body: await read() })).json()
      return reply
    },
    notice: () => tell(reply),
    failure: t('Failed to save the schedule'),
  })
}

/** The times of the schedule as its form has them: all texts. `closesMinutesBefore` is empty for null. */
export type ScheduleDraft = { [Name in keyof Times]: string }

export type Times = Omit<Schedule, 'skippedDates'>

export function draftOfSchedule(schedule: Times): ScheduleDraft {
  return {
    weekday: `${schedule.weekday}`,
    startTime: schedule.startTime,
    durationMinutes: `${schedule.durationMinutes}`,
    timeZone: schedule.timeZone,
    closesMinutesBefore: `${schedule.closesMinutesBefore ?? ''}`,
  }
}

export function timesOf(draft: ScheduleDraft): Times {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore } = draft
  return {
    weekday: Number(weekday),
    startTime,
    durationMinutes: Number(durationMinutes),
    timeZone: zoneNamed(timeZone),
    closesMinutesBefore: closesMinutesBefore === '' ? null : Number(closesMinutesBefore),
  }
}

/** What the server would refuse, by the same schema but without a call. */
export function checkTimes(times: Times): Partial<Record<keyof Times, string>> {
  const issues = scheduleChange.safeParse(times).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path[0], said(message)]))
}

/** Only what is different, so that what another administrator changed stays; all of it where it is to be confirmed. */
export function changeOf(times: Times, current: CurrentSchedule): Partial<Times> {
  if (!current.confirmed) return times
  return differing(times, current)
}

/** The time zone that is meant, however it is written: `america/new york`, or `chicago` where only one ends in it. */
function zoneNamed(typed: string): string {
  const meant = typed.trim().replaceAll(' ', '_').toLowerCase()
  const zones = Intl.supportedValuesOf('timeZone')
  const places = zones.filter((zone) => zone.toLowerCase().endsWith(`/${meant}`))
  const [place] = places.length === 1 ? places : []
  return zones.find((zone) => zone.toLowerCase() === meant) ?? place ?? typed.trim()
}

/** From 0 for Sunday. */
export const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

/** A month as a calendar shows it. */
export type Month = {
  /** E.g. `December 2026`. */
  title: string
  /** Weeks from Sunday to Saturday; undefined for a day of another month. */
  weeks: (string | undefined)[][]
}

/** The month that is so many after that of a day, which is e.g. `2026-11-21`. */
export function monthAfter(day: string, count: number): Month {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const start = new Date(Date.UTC(year, month - 1 + count, 1))
  const first = start.toISOString().slice(0, 10)
  const before = weekdayOf(first)
  const length = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  const weeks = Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const number = week * 7 + weekday - before
      return number < 0 || number >= length ? undefined : addDays(first, number)
    }),
  )
  return { title: start.toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }), weeks }
}
