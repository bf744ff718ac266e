import { and, asc, eq, inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import { operation } from '../operation.ts'
import { newVolunteerRole, type VolunteerRole, volunteerRoleChange } from './schema.ts'
import { volunteerRoles } from './table.ts'

const offered = eq(volunteerRoles.retired, false)
const idAndName = { id: volunteerRoles.id, name: volunteerRoles.name }

/** The roles that are offered, in the order they were made. */
export const listVolunteerRoles = operation(
  z.unknown(),
  async (): Promise<VolunteerRole[]> =>
    db.select(idAndName).from(volunteerRoles).where(offered).orderBy(asc(volunteerRoles.id)),
)

export const createVolunteerRole = operation(newVolunteerRole, async ({ name }): Promise<VolunteerRole> => {
  const [made] = await db.batch([db.insert(volunteerRoles).values({ name }).returning(idAndName)])
  return onlyRole(made)
})

/**
 * Renames a role, retires it or offers it again.
 * @throws UserError 'not-found' when there is no such role.
 */
export const changeVolunteerRole = operation(volunteerRoleChange, async ({ id, ...change }): Promise<VolunteerRole> => {
  const update = db.update(volunteerRoles).set(change).where(eq(volunteerRoles.id, id))
  const [changed] = await db.batch([update.returning(idAndName)])
  return onlyRole(changed)
})

/** Which of these ids are no role that is offered. */
export async function unknownRoles(ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const known = await db
    .select({ id: volunteerRoles.id })
    .from(volunteerRoles)
    .where(and(offered, inArray(volunteerRoles.id, ids)))
  return ids.filter((id) => !known.some((role) => role.id === id))
}

function onlyRole([role]: VolunteerRole[]): VolunteerRole {
  if (role === undefined)
    throw new UserError('not-found', 'There is no such role. Load the page again to see the list.')
  return role
}
