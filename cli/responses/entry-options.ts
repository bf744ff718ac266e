import { membersFrom } from '#db/rsvp/read-texts.ts'
import type { Context } from '../context.ts'
import { findRole } from '../roles.ts'
import { dateOfWeek } from './date-of-week.ts'

/** The options that say what a response is. */
export type EntryOptions = {
  name?: string
  email?: string
  phone?: string
  message?: string
  attending?: boolean
  family?: string
  role?: string[]
  week?: string
}

/** What the given options say; what is not given is missing. */
export async function entryFrom({ family, role, week, attending, ...texts }: EntryOptions, context: Context) {
  const serviceDate = week === undefined ? undefined : await dateOfWeek(week, context)
  const roles = role?.filter((word) => word.trim() !== '')
  const found = roles && (await Promise.all(roles.map((word) => findRole(word, { retired: false }, context.call))))
  return {
    ...texts,
    ...(attending !== undefined && { attending }),
    ...(family !== undefined && { familyMembers: membersFrom(family) }),
    ...(found !== undefined && { volunteerRoles: found.map(({ id }) => id) }),
    ...(serviceDate !== undefined && { serviceDate }),
  }
}
