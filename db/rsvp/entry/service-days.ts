import { subDays } from 'date-fns/subDays'
import { UserError } from '#db/errors.ts'
import { operationWithoutInput } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { SERVICES_OFFERED, type StoredSchedule } from '#db/schedule/schema.ts'
import { servicesFrom } from '#db/schedule/services.ts'
import { addDays, dayText } from '#db/values/dates.ts'
import { dayIn } from '#db/values/time-zone.ts'

/** How long ago a service may be for which an administrator still enters a response. */
const PAST_DAYS = 366

/** The days of services, the nearest first. */
export type EnterableDays = { next: string[]; past: string[] }

/** The days of the services that an administrator can enter responses for. */
export const listEnterableDays = operationWithoutInput(
  async ({ now }): Promise<EnterableDays> => enterableDays(await readSchedule(), now),
)

/** What to say where an administrator cannot enter responses for this day. */
export function findDayWithoutService(date: string, schedule: StoredSchedule, now: Date): UserError | undefined {
  const { next, past } = enterableDays(schedule, now)
  if (next.includes(date) || past.includes(date)) return undefined
  const message = `There is no service on ${dayText(date)} of ${date.slice(0, 4)}, or it is more than a year ago or too far ahead. Choose another day.`
  return new UserError('invalid', message, [{ path: 'serviceDate', message }])
}

function enterableDays(schedule: StoredSchedule, now: Date): EnterableDays {
  const next: string[] = []
  const past: string[] = []
  const earliest = subDays(now, PAST_DAYS)
  for (const { date, endsAt } of servicesFrom(schedule, earliest)) {
    if (endsAt > now.toISOString()) next.push(date)
    else if (date > (schedule.previousService ?? '')) past.unshift(date)
    if (next.length === SERVICES_OFFERED) break
  }
  return { next, past: [...past, ...formerDays(schedule, dayIn(schedule.timeZone, earliest))] }
}

/** Up to the last service before the schedule was changed they were on its weekday. */
function formerDays({ previousService, skippedDates }: StoredSchedule, earliest: string): string[] {
  const days: string[] = []
  for (let day = previousService ?? ''; day >= earliest && day !== ''; day = addDays(day, -7)) days.push(day)
  return days.filter((day) => !skippedDates.includes(day))
}
