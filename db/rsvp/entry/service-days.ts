import { subDays } from 'date-fns/subDays'
import { UserError } from '#db/errors.ts'
import { type Schedule, SERVICES_OFFERED } from '#db/schedule/schema.ts'
import { servicesFrom } from '#db/schedule/services.ts'
import { dayText } from '#db/values/calendar-day.ts'

/** How long ago a service may be for which an administrator still enters a response. */
const PAST_DAYS = 366

/** The days of the services that an administrator can enter responses for. */
export function enterableDays(schedule: Schedule, now: Date): { next: string[]; past: string[] } {
  const next: string[] = []
  const past: string[] = []
  for (const { date, endsAt } of servicesFrom(schedule, subDays(now, PAST_DAYS))) {
    if (endsAt <= now.toISOString()) past.unshift(date)
    else next.push(date)
    if (next.length === SERVICES_OFFERED) break
  }
  return { next, past }
}

/** What to say where an administrator cannot enter responses for this day. */
export function findDayWithoutService(date: string, schedule: Schedule, now: Date): UserError | undefined {
  const { next, past } = enterableDays(schedule, now)
  if (next.includes(date) || past.includes(date)) return undefined
  const message = `There is no service on ${dayText(date)} of ${date.slice(0, 4)}, or it is more than a year ago or too far ahead. Choose another day.`
  return new UserError('invalid', message, [{ path: 'serviceDate', message }])
}
