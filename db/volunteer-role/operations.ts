import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { audited, auditedIfChanged } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import {
  fromTheList,
  newVolunteerRole,
  type StoredVolunteerRole,
  type VolunteerRole,
  volunteerRoleChange,
} from './schema.ts'
import { volunteerRoles } from './table.ts'

const notOfferedAnyMore =
  'A role you chose is no longer offered. Load the page again to see which are, and choose again.'

const idAndName = { id: volunteerRoles.id, name: volunteerRoles.name }
const offered = eq(volunteerRoles.retired, false)
const everyRole = db
  .select({ ...idAndName, retired: volunteerRoles.retired })
  .from(volunteerRoles)
  .orderBy(asc(volunteerRoles.id))
  .prepare()

/** The roles that are offered, in the order they were made. */
export const listVolunteerRoles = operationWithoutInput(
  async (): Promise<VolunteerRole[]> =>
    db.select(idAndName).from(volunteerRoles).where(offered).orderBy(asc(volunteerRoles.id)),
)

/** Every role, also the retired ones, in the order they were made. */
export const listEveryVolunteerRole = operationWithoutInput(async (): Promise<StoredVolunteerRole[]> => everyRole.all())

/** @throws UserError 'invalid' when a role of that name is offered already. */
export const createVolunteerRole = operation(newVolunteerRole, async ({ name }, call): Promise<VolunteerRole> => {
  await refuseNameInUse(name)
  const [made] = await db.batch([
    db.insert(volunteerRoles).values({ name }).returning(idAndName),
    audited(call, 'role added', sql`last_insert_rowid()`),
  ])
  return onlyRole(made)
})

/**
 * Renames a role, retires it or offers it again.
 * @throws UserError 'not-found' when there is no such role, 'invalid' when another is offered under that name.
 */
export const changeVolunteerRole = operation(
  volunteerRoleChange,
  async ({ id, ...change }, call): Promise<VolunteerRole> => {
    const name = change.name ?? (change.retired === false ? await nameOf(id) : undefined)
    if (name !== undefined) await refuseNameInUse(name, id)
    const update = db.update(volunteerRoles).set(change).where(eq(volunteerRoles.id, id))
    const [changed] = await db.batch([update.returning(idAndName), auditedIfChanged(call, 'role changed', String(id))])
    return onlyRole(changed)
  },
)

/** What to say, to administrators by name, where some of these roles are not offered (any more). */
export async function findRolesNotOffered(ids: number[], { administrator }: Call): Promise<UserError | undefined> {
  if (ids.length === 0) return undefined
  // All of them, which many callers at once read together.
  const known = await everyRole.all()
  const retired = known.filter((role) => role.retired && ids.includes(role.id)).map((role) => role.name)
  // Ids can be guessed, and visitors must not learn the names of retired roles.
  if (retired.length > 0 && !administrator) return invalidRoles(notOfferedAnyMore)
  if (retired.length > 0) return invalidRoles(`No longer offered: ${retired.join(', ')}. Remove and submit again.`)
  if (ids.some((id) => !known.some((role) => role.id === id))) return invalidRoles(fromTheList)
  return undefined
}

function invalidRoles(message: string): UserError {
  return new UserError('invalid', message, [{ path: 'volunteerRoles', message }])
}

async function nameOf(id: number): Promise<string | undefined> {
  const [role] = await db.select(idAndName).from(volunteerRoles).where(eq(volunteerRoles.id, id))
  return role?.name
}

async function refuseNameInUse(name: string, exceptId = 0): Promise<void> {
  const others = await db
    .select(idAndName)
    .from(volunteerRoles)
    .where(and(offered, ne(volunteerRoles.id, exceptId)))
  if (others.every((role) => role.name.toLowerCase() !== name.toLowerCase())) return
  const message = `There is a role named ${name} already.`
  throw new UserError('invalid', message, [{ path: 'name', message }])
}

function onlyRole([role]: VolunteerRole[]): VolunteerRole {
  if (role === undefined)
    throw new UserError('not-found', 'There is no such role. Load the page again to see the list.')
  return role
}
