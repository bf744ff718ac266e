import { and, asc, eq, ne } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import {
  fromTheList,
  type NeededRole,
  newVolunteerRole,
  type StoredVolunteerRole,
  type volunteerRoleChange,
} from './schema.ts'
import { volunteerRoles } from './table.ts'

const notOfferedAnyMore =
  'A role you chose is no longer offered. Load the page again to see which are, and choose again.'

const idAndName = { id: volunteerRoles.id, name: volunteerRoles.name }
/** The columns that visitors see. */
export const withNeed = { ...idAndName, needed: volunteerRoles.needed }
export const offered = eq(volunteerRoles.retired, false)
export const everyRole = db.select().from(volunteerRoles).orderBy(asc(volunteerRoles.id)).prepare()

export const listEveryVolunteerRole = operationWithoutInput(async (): Promise<StoredVolunteerRole[]> => everyRole.all())

/** @throws UserError 'invalid' when a role of that name is offered already. */
export const createVolunteerRole = operation(newVolunteerRole, (role, call) =>
  transaction(async (tx): Promise<NeededRole> => {
    await refuseNameInUse(role.name)
    const made = onlyRole(await tx.insert(volunteerRoles).values(role).returning(withNeed))
    await audit(tx, call, 'role added', String(made.id))
    return made
  }),
)

/**
 * Renames a role, changes how many people it needs, retires it or offers it again.
 * @throws UserError 'not-found' when there is no such role, 'invalid' when another is offered under that name.
 */
export async function storeRoleChange(
  { id, ...change }: z.output<typeof volunteerRoleChange>,
  call: Call,
): Promise<NeededRole> {
  return transaction(async (tx) => {
    const isRole = eq(volunteerRoles.id, id)
    const changed = onlyRole(await tx.update(volunteerRoles).set(change).where(isRole).returning(withNeed))
    if (change.name !== undefined || change.retired === false) await refuseNameInUse(changed.name, id)
    await audit(tx, call, 'role changed', String(id))
    return changed
  })
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

async function refuseNameInUse(name: string, exceptId = 0): Promise<void> {
  const others = await db
    .select(idAndName)
    .from(volunteerRoles)
    .where(and(offered, ne(volunteerRoles.id, exceptId)))
  if (others.every((role) => role.name.toLowerCase() !== name.toLowerCase())) return
  throw new UserError('invalid', `There is a role named ${name} already. Give this one another name.`).at('name')
}

function onlyRole([role]: StoredNeed[]): NeededRole {
  if (role === undefined) throw new UserError('no-such-role')
  return withoutNull(role)
}

type StoredNeed = Pick<StoredVolunteerRole, 'id' | 'name' | 'needed'>

/** A role without a limit is as the specification says: an id and a name. */
export function withoutNull({ needed, ...role }: StoredNeed): NeededRole {
  return needed === null ? role : { ...role, needed }
}
