import { UserError } from '#db/errors.ts'
import type { Service } from '#db/schedule/schema.ts'
import { dayText } from '#db/values/calendar-day.ts'

/** What to say where these roles are filled at the service on this day. */
export function rolesFilled(names: string[], date: string, [next]: Service[]): UserError {
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  const when = date === next?.date ? 'this week' : dayText(date)
  const message = `${new Intl.ListFormat('en-US').format(names)} ${are} filled for ${when}. Submit without ${them}, or choose another role.`
  return new UserError('invalid', message, [{ path: 'volunteerRoles', message }])
}
