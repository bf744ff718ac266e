import type { Call } from '#db/operation.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekDate } from '#db/schedule/services.ts'
import { getDefaultWeek } from '#db/turnout/operations.ts'
import type { ResponsesView } from '#site/lib/responses-view.ts'

/** The day of the service that a view is about; undefined where it is about all of them. */
export async function chooseWeek(
  { week }: ResponsesView,
  schedule: CurrentSchedule,
  call: Call,
): Promise<string | undefined> {
  return week === undefined ? getDefaultWeek(call) : weekDate(week, schedule, call.now)
}
