import { UserError } from '#db/errors.ts'
import { LIST_SEPARATOR } from '#db/rsvp/fields.ts'
import type { Service } from '#db/schedule/schema.ts'
import { dayText } from '#db/values/dates.ts'

/** What to say where these roles are filled at the service on this day. */
export function rolesFilled(names: string[], date: string, [next]: Service[]): UserError {
  const when = date === next?.date ? 'this week' : dayText(date)
  const message =
    names.length === 1
      ? `${names[0]} is filled for ${when}. Submit without it, or choose another role.`
      : `Filled for ${when}: ${names.join(LIST_SEPARATOR)}. Submit without them, or choose another role.`
  return new UserError('invalid', message, [{ path: 'volunteerRoles', message }])
}
