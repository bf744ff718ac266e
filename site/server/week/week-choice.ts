import type { WeekHeadcount } from '#db/rsvp/counts.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { findNoService, weekDate } from '#db/schedule/services.ts'
import { dayIn } from '#db/values/time-zone.ts'

export type WeekChoice = ReturnType<typeof weekChoice>

/**
 * The week that is shown, and those that could be.
 * @param date of the service that is shown; undefined for all of them.
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
    /** The days of the service that was held last, of the one that is being held or comes next, and of the one after it. */
    current: { last: schedule.lastService, this: next, next: weekDate('next', schedule, now) },
    /** In the time zone of the schedule. */
    today: dayIn(schedule.timeZone, now),
    skippedDates: schedule.skippedDates,
    /** Every service that there are responses for, the latest first. */
    weeks,
    /** Where the schedule has no service on that day: why. */
    noService,
    /** Whether there is something to show: a service, or what is stored for that day all the same. */
    filled: noService === undefined || isCounted || weeks.some((week) => week.date === date),
    /** Nothing can be done about who is missing any more. */
    isOver: date !== undefined && next !== undefined && date < next,
  }
}
