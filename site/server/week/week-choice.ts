import type { WeekHeadcount } from '#db/rsvp/counts.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { findNoService, type NoService, weekDate } from '#db/schedule/services.ts'
import { dayIn } from '#db/values/time-zone.ts'

/** The week that is shown, and those that could be. */
export type WeekChoice = {
  /** The day of the service that is shown; undefined for all of them. */
  date: string | undefined
  /** The days of the service that was held last, of the one that is being held or comes next, and of the one after it. */
  current: { last: string; this: string | undefined; next: string | undefined }
  /** In the time zone of the schedule. */
  today: string
  /** The days without a service. */
  skippedDates: string[]
  /** Every service that there are responses for, the latest first. */
  weeks: WeekHeadcount[]
  /** Where the schedule has no service on that day: why. */
  noService: NoService | undefined
  /** Whether there is something to show: a service, or what is stored for that day all the same. */
  filled: boolean
  /** Whether the service is over: nothing can be done about who is missing any more. */
  isOver: boolean
}

/** @param isCounted whether the turnout of that service is known. */
export function weekChoice(
  date: string | undefined,
  { weeks, isCounted }: { weeks: WeekHeadcount[]; isCounted: boolean },
  schedule: CurrentSchedule,
  now: Date,
): WeekChoice {
  const next = weekDate('this', schedule, now)
  const noService = date === undefined ? undefined : findNoService(date, schedule)
  return {
    date,
    current: {
      last: schedule.lastService,
      this: next,
      next: weekDate('next', schedule, now),
    },
    today: dayIn(schedule.timeZone, now),
    skippedDates: schedule.skippedDates,
    weeks,
    noService,
    filled: noService === undefined || isCounted || weeks.some((week) => week.date === date),
    isOver: date !== undefined && next !== undefined && date < next,
  }
}
