import { UserError } from '#db/errors.ts'
import type { Service } from '#db/schedule/schema.ts'
import { dayText } from '#db/values/day-text.ts'

/** What to say where these roles are filled at the service on this day. */
export function rolesFilled(names: string[], date: string, [next]: Service[]): UserError {
  const roles = new Intl.ListFormat('en-US').format(names)
  const when = date === next?.date ? 'this week' : dayText(date)
  const message =
    names.length === 1
      ? `${roles} is filled for ${when}. Submit without it, or choose another role.`
      : `${roles} are filled for ${when}. Submit without them, or choose another role.`
  return new UserError('invalid', message, [{ path: 'volunteerRoles', message }])
}
