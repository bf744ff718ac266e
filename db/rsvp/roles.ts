import { and, asc, eq, inArray, not } from 'drizzle-orm'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { everyRole, offered, storeRoleChange, withNeed, withoutNull } from '#db/volunteer-role/operations.ts'
import { type OfferedRole, volunteerRoleChange } from '#db/volunteer-role/schema.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { isSame, isSuperseded, personOf, type Sender } from './duplicates.ts'
import type { StoredRsvp } from './schema.ts'
import { isLive } from './search.ts'
import { sentAs } from './stored.ts'
import { rsvps, volunteerSignups } from './table.ts'

/** The roles on offer, in the order of their creation, and how many people fill them at the next services. */
export const listVolunteerRoles = operationWithoutInput(async ({ now }): Promise<OfferedRole[]> => {
  const roles = await offeredRoles.all()
  if (roles.every(({ needed }) => needed === null)) return roles.map(withoutNull)
  const dates = offeredServices(await readSchedule(), now).map(({ date }) => date)
  const filling = await readFilling(dates)
  return roles.map((role) => {
    if (role.needed === null) return withoutNull(role)
    const own = ofRole(role, filling)
    const filled = dates.map((date) => [date, own.filter((rsvp) => rsvp.serviceDate === date).length])
    return { ...withoutNull(role), filled: Object.fromEntries(filled) }
  })
})

/**
 * Renames a role, changes how many people it needs, retires it or offers it again. Those who fill it already keep it,
 * even if they are more than it now needs.
 * @throws UserError 'not-found' when there is no such role, 'invalid' when another is offered under that name.
 */
export const changeVolunteerRole = operation(volunteerRoleChange, async (change, call): Promise<OfferedRole> => {
  const role = await storeRoleChange(change, call)
  return (await listVolunteerRoles(call)).find((known) => known.id === role.id) ?? role
})

const offeredRoles = db.select(withNeed).from(volunteerRoles).where(offered).orderBy(asc(volunteerRoles.id)).prepare()

/** An RSVP that asks for room; it has an id if it is stored. */
type Asking = Sender & { id?: number }

/**
 * The roles that have no room for an RSVP of this sender. A role that the sender already fills has room: the new RSVP
 * replaces the one before.
 */
export async function findFilledRoles(roles: number[], sender: Asking) {
  const places = await readPlaces(roles, sender)
  return places.filter(({ own, others, needed }) => own === 0 && others >= needed)
}

/** Removes from an RSVP that counts again the roles that others fill by now. */
export async function dropFilledRoles(tx: Transaction, stored: StoredRsvp): Promise<void> {
  const places = await readPlaces(sentAs(stored).volunteerRoles, stored)
  const filled = places.filter(({ others, needed }) => others >= needed).map(({ id }) => id)
  const isFilled = and(eq(volunteerSignups.rsvpId, stored.id), inArray(volunteerSignups.roleId, filled))
  if (filled.length > 0) await tx.delete(volunteerSignups).where(isFilled)
}

/** Each role on offer, and who fills it at the service on this day. */
export async function listHolders(serviceDate: string) {
  const [roles, filling] = await Promise.all([offeredRoles.all(), readFilling([serviceDate])])
  const personIn = (rsvp: (typeof filling)[number]) => (rsvp.email === '' ? `response ${rsvp.id}` : personOf(rsvp))
  return roles.map((role) => ({ ...role, holders: new Set(ofRole(role, filling).map(personIn)) }))
}

/** For each role with a need: how many fill it at the sender's service, by RSVPs of the sender and of others. */
async function readPlaces(roles: number[], sender: Asking) {
  if (roles.length === 0) return []
  const limited = (await everyRole.all()).flatMap(({ needed, ...role }) =>
    needed !== null && roles.includes(role.id) ? [{ ...role, needed }] : [],
  )
  if (limited.length === 0) return []
  const filling = await readFilling([sender.serviceDate])
  return limited.map((role) => {
    const all = ofRole(role, filling)
    const own = all.filter((rsvp) => rsvp.id === sender.id || isSame(rsvp, sender)).length
    return { ...role, own, others: all.length - own }
  })
}

/**
 * Who fills which role at the services on these days: by RSVPs that are attending, neither deleted nor superseded. Only
 * RSVPs from visitors are limited: an administrator who restores one may exceed the need.
 */
export async function readFilling(days: string[]) {
  const { id, email, name, serviceDate, attending } = rsvps
  return db
    .select({ id, email, name, serviceDate, roleId: volunteerSignups.roleId })
    .from(rsvps)
    .innerJoin(volunteerSignups, eq(volunteerSignups.rsvpId, id))
    .where(and(inArray(serviceDate, days), attending, isLive, not(isSuperseded)))
}

function ofRole<Filling extends { roleId: number }>({ id }: { id: number }, filling: Filling[]): Filling[] {
  return filling.filter(({ roleId }) => roleId === id)
}
