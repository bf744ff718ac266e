import { UserError } from '#db/errors.ts'
import type { Service } from '#db/schedule/schema.ts'
import { dayText } from '#db/values/calendar-day.ts'

/** What to say where visitors cannot choose the service on this day (any more). */
export function findServiceNotOffered(date: string, offered: Service[]): UserError | undefined {
  if (offered.some((service) => service.date === date)) return undefined
  const next = offered[0] === undefined ? '' : ` The next service is on ${dayText(offered[0].date)}.`
  const message = `You cannot respond for ${dayText(date)} at this time.${next}`
  return new UserError('invalid', message, [{ path: 'serviceDate', message }])
}
