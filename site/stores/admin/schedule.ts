import { type ChangedSchedule, type CurrentSchedule, type Schedule, scheduleChange } from '#db/schedule/schema.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { typedNumber } from '#db/values/numbers.ts'
import { viewAddress } from '#site/lib/admin-page.ts'
import { request } from '#site/lib/request.ts'
import type { Notice } from '#site/stores/toasts.ts'
import { dayText } from '#site/texts/dates.ts'
import { locale, plural, t } from '#site/texts/texts.ts'
import { changeableAt, differing } from './changeable.ts'

export const schedule = changeableAt('/api/schedule')

/** Shows the new times at once and sends them, which also confirms the schedule; reverts them if that fails. */
export function changeSchedule(current: CurrentSchedule, change: Partial<Schedule>): Promise<boolean> {
  return schedule.change(current, {
    show: (shown) => ({ ...shown, ...change, confirmed: true }),
    send: () => patchSchedule(change),
    notice: (reply) => {
      const { movedRsvps, movedSkippedDates } = reply
      const undo = {
        label: t('Undo'),
        altText: t('Undo the change to the schedule'),
        onPress: () => undoChange(current, change, reply),
      }
      return {
        title: t('Schedule Saved'),
        description: sentences(
          movedRsvps > 0 &&
            plural(movedRsvps, '{count} response moved to the new day.', '{count} responses moved to the new day.'),
          movedSkippedDates > 0 && t('The skipped dates moved too: check them below.'),
          nextText(reply),
        ),
        // An unconfirmed schedule cannot be restored.
        ...(current.confirmed && reply.movedDays !== 0 && { action: undo }),
      }
    },
    failure: t('Failed to save the schedule'),
  })
}

/** Restores the previous times; responses and skipped dates move back as many days as they have moved. */
function undoChange(before: CurrentSchedule, change: Partial<Schedule>, changed: ChangedSchedule): Promise<boolean> {
  const times: Partial<Schedule> = Object.fromEntries(Object.entries(before).filter(([name]) => name in change))
  const restored = changed.movedSkippedDates > 0 ? { ...times, skippedDates: before.skippedDates } : times
  return schedule.change(changed, {
    show: (shown) => ({ ...shown, ...restored, confirmed: true }),
    send: () => patchSchedule({ ...restored, moveDays: -changed.movedDays }),
    notice: (reply) => ({
      title: t('Schedule Restored'),
      description: sentences(
        reply.movedRsvps > 0 &&
          plural(reply.movedRsvps, '{count} response moved back.', '{count} responses moved back.'),
        nextText(reply),
      ),
    }),
    failure: t('Failed to save the schedule'),
  })
}

/** The responses for the service stay. @param skipReason is told to those who come. */
export function skipService(current: CurrentSchedule, date: string, skipReason = ''): Promise<boolean> {
  const show = {
    label: t('Whom to call'),
    altText: t('Show who wanted to come'),
    onPress: () => location.assign(`${viewAddress({ week: date })}#to-call`),
  }
  return changeSkipped(
    current,
    (dates) => [...dates, date].sort(),
    ({ skippedRsvps, toldRsvps }) => ({
      title: t('Service Skipped'),
      description: sentences(
        t('There is no service on {day}.', { day: dayText(date) }),
        toldRsvps > 0
          ? t('In five minutes, those who come and have an address get an email. Call the others.')
          : skippedRsvps > 0 &&
              plural(
                skippedRsvps,
                '{count} response for that day will be kept: let people know.',
                '{count} responses for that day will be kept: let people know.',
              ),
      ),
      ...(skippedRsvps > 0 && { action: show }),
    }),
    skipReason === '' ? {} : { skipReason },
  )
}

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
  notice: (reply: ChangedSchedule) => Notice,
  also: { skipReason?: string } = {},
): Promise<boolean> {
  return schedule.change(current, {
    show: (shown) => ({ ...shown, skippedDates: change(shown.skippedDates), confirmed: true }),
    // The list is sent as a whole, and another administrator may have changed it since this page was loaded.
    send: async () => {
      const { skippedDates } = await (await request('GET /api/schedule')).json()
      return patchSchedule({ skippedDates: change(skippedDates), ...also })
    },
    notice,
    failure: t('Failed to save the schedule'),
  })
}

async function patchSchedule(
  body: Partial<Schedule> & { moveDays?: number; skipReason?: string },
): Promise<ChangedSchedule> {
  return (await request('PATCH /api/schedule', { body })).json()
}

function sentences(...said: (string | false | undefined)[]): string {
  return said.filter(Boolean).join(' ')
}

function nextText({ services: [next] }: ChangedSchedule): string | undefined {
  return next && t('The next service is on {day}.', { day: dayText(next.date) })
}

/** The times as texts, for form controls. `closesMinutesBefore` is empty for null. */
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
    durationMinutes: typedNumber(durationMinutes),
    timeZone: zoneNamed(timeZone),
    closesMinutesBefore: closesMinutesBefore === '' ? null : Number(closesMinutesBefore),
  }
}

/** Finds what the server would refuse, by the same schema but without a call. It may know more zones than this browser. */
export function checkTimes(times: Times): Partial<Record<keyof Times, string>> {
  const timeZone = times.timeZone.includes('/') ? 'UTC' : times.timeZone
  const { issues = [] } = scheduleChange.safeParse({ ...times, timeZone }).error ?? {}
  return Object.fromEntries(issues.map(({ path, message }) => [path[0], t(message)]))
}

/** Only what differs, to keep the changes of another administrator; everything if it is to be confirmed. */
export function changeOf(times: Times, current: CurrentSchedule): Partial<Times> {
  return current.confirmed ? differing(times, current) : times
}

/** Finds a time zone however it is typed: `america/new york`, or `chicago` if only one ends in that. */
function zoneNamed(typed: string): string {
  const meant = typed.trim().replaceAll(' ', '_').toLowerCase()
  const zones = Intl.supportedValuesOf('timeZone')
  const places = zones.filter((zone) => zone.toLowerCase().endsWith(`/${meant}`))
  const [place] = places.length === 1 ? places : []
  return zones.find((zone) => zone.toLowerCase() === meant) ?? place ?? typed.trim()
}

/** From 0 for Sunday. */
export const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

/**
 * The month `count` months after that of `day`, which is e.g. `2026-11-21`: its title, e.g. `December 2026`, and its
 * weeks from Sunday to Saturday, with undefined for days of other months.
 */
export function monthAfter(day: string, count: number) {
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
