import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/week-date.ts'
import type { ResponsesView } from '#site/lib/responses-view.ts'

/** The day of the service that a view is about; undefined where it is about all of them. */
export function chooseWeek(view: ResponsesView, schedule: CurrentSchedule, now: Date): string | undefined {
  // Until an administrator has set the schedule, the weeks may be others than the church's.
  return weekDate(view.week ?? (schedule.confirmed ? 'this' : 'all'), schedule, now)
}
