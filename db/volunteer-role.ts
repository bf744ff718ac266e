import { asc, eq } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { fromTheList, type StoredVolunteerRole } from '#db/values/volunteer-role.ts'

const notOfferedAnyMore =
  'A role you chose is no longer offered. Load the page again to see which are, and choose again.'

export const offered = eq(volunteerRoles.retired, false)
export const everyRole = db.select().from(volunteerRoles).orderBy(asc(volunteerRoles.id)).prepare()

export async function listEveryVolunteerRole(): Promise<StoredVolunteerRole[]> {
  return everyRole.all()
}

/** The refusal of roles that are not offered (any more). Not by name: ids can be guessed. */
export async function findRolesNotOffered(ids: number[]): Promise<UserError | undefined> {
  if (ids.length === 0) return undefined
  const known = await everyRole.all()
  const isRetired = known.some((role) => role.retired && ids.includes(role.id))
  if (isRetired) return new UserError('invalid', notOfferedAnyMore).at('volunteerRoles')
  const isKnown = ids.every((id) => known.some((role) => role.id === id))
  return isKnown ? undefined : new UserError('invalid', fromTheList).at('volunteerRoles')
}
