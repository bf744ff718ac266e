import type { WeekHeadcount } from '#db/rsvp/counts.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { findNoService, weekDate } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'

export type WeekChoice = ReturnType<typeof weekChoice>

/**
 * The shown week, and those to choose from.
 * @param date of the shown service; undefined for all of them.
 * @param isCounted whether the turnout of that service is known.
 */
export function weekChoice(
  date: string | undefined,
  { weeks, isCounted }: { weeks: WeekHeadcount[]; isCounted: boolean },
  schedule: CurrentSchedule,
  now: Date,
) {
  const next = weekDate('this', schedule, now)
  const noService = date === undefined ? undefined : findNoService(date, schedule)
  return {
    date,
    /** The days of the last service held, of the current or next one, and of the one after it. */
    current: { last: schedule.lastService, this: next, next: weekDate('next', schedule, now) },
    /** In the time zone of the schedule. */
    today: dayIn(schedule.timeZone, now),
    skippedDates: schedule.skippedDates,
    /** Services with responses, latest first. */
    weeks,
    /** Why the schedule has no service on that day, if so. */
    noService,
    /** Whether there is something to show: a service, or data stored for that day. */
    filled: noService === undefined || isCounted || weeks.some((week) => week.date === date),
    /** The service is over: missing people can no longer be found. */
    isOver: date !== undefined && next !== undefined && date < next,
  }
}
