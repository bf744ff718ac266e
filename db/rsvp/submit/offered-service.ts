import { UserError } from '#db/errors.ts'
import type { Schedule, Service } from '#db/schedule/schema.ts'
import { dayText, weekdayOf } from '#db/values/dates.ts'

/** What to say where visitors cannot choose the service on this day (any more). */
export function findServiceNotOffered(
  date: string,
  { weekday, skippedDates }: Schedule,
  offered: Service[],
): UserError | undefined {
  if (offered.some((service) => service.date === date)) return undefined
  const hasService = weekdayOf(date) === weekday && !skippedDates.includes(date)
  const reason = hasService
    ? `You cannot respond for ${dayText(date)} at this time.`
    : `There is no service on ${dayText(date)}.`
  const [next] = offered
  const message = next === undefined ? reason : `${reason} The next service is on ${dayText(next.date)}.`
  return new UserError('invalid', message, [{ path: 'serviceDate', message }])
}
