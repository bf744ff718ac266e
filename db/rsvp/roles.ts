import { and, asc, eq, inArray, not } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { rsvps, volunteerRoles, volunteerSignups } from '#db/tables/rsvp.ts'
import type { AuditAction } from '#db/values/audit.ts'
import { UserError } from '#db/values/errors.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { offeredServices } from '#db/values/services.ts'
import { sentAs } from '#db/values/stored-rsvp.ts'
import {
  fromTheList,
  newVolunteerRole,
  type OfferedRole,
  type StoredVolunteerRole,
  volunteerRoleChange,
} from '#db/values/volunteer-role.ts'
import { isSame, isSuperseded, personOf, type Sender } from './duplicates.ts'
import { isLive } from './read.ts'

const inOrder = asc(volunteerRoles.id)
const everyRole = db.select().from(volunteerRoles).orderBy(inOrder).prepare()
const isOffered = eq(volunteerRoles.retired, false)
const offeredRoles = db.select().from(volunteerRoles).where(isOffered).orderBy(inOrder).prepare()

/** The roles on offer, in the order of their creation, and how many people fill them at the next services. */
export async function listVolunteerRoles({ now }: Call) {
  return shownRoles(await offeredRoles.all(), now)
}

/** All roles, the retired ones included, in the order of their creation. */
export async function listEveryVolunteerRole(): Promise<StoredVolunteerRole[]> {
  return everyRole.all()
}

/** @throws UserError 'invalid' when a role of that name is offered already. */
export async function createVolunteerRole(input: unknown, call: Call) {
  const role = parseInput(newVolunteerRole, input)
  return transaction(async (tx) => {
    const made = await tx.insert(volunteerRoles).values(role).returning()
    return storedRole(tx, made, 'role added', call)
  })
}

/**
 * Renames a role, changes how many people it needs, retires it or offers it again. Those who fill it already keep it,
 * even if they are more than it now needs.
 * @throws UserError 'not-found' when there is no such role, 'invalid' when another is offered under that name.
 */
export async function changeVolunteerRole(input: unknown, call: Call) {
  const { id, ...change } = parseInput(volunteerRoleChange, input)
  return transaction(async (tx) => {
    const changed = await tx.update(volunteerRoles).set(change).where(eq(volunteerRoles.id, id)).returning()
    return storedRole(tx, changed, 'role changed', call)
  })
}

async function storedRole(tx: Transaction, stored: StoredVolunteerRole[], action: AuditAction, call: Call) {
  const [role] = stored
  const [shown] = await shownRoles(stored, call.now)
  if (role === undefined || shown === undefined) throw new UserError('no-such-role')
  const isSameName = ({ id, name }: StoredVolunteerRole) =>
    id !== role.id && name.toLowerCase() === role.name.toLowerCase()
  if (!role.retired && (await offeredRoles.all()).some(isSameName)) {
    const inUse = `There is a role named ${role.name} already. Give this one another name.`
    throw new UserError('invalid', inUse).at('name')
  }
  await audit(tx, call, action, String(role.id))
  return shown
}

/** As visitors see them: a role without a limit is as the specification says, an id and a name. */
async function shownRoles(roles: StoredVolunteerRole[], now: Date): Promise<OfferedRole[]> {
  const isLimited = roles.some(({ needed }) => needed !== null)
  const dates = isLimited ? offeredServices(await readSchedule(), now).map(({ date }) => date) : []
  const filling = isLimited ? await readFilling(dates) : []
  return roles.map(({ id, name, needed }) => {
    if (needed === null) return { id, name }
    const own = filling.filter(({ roleId }) => roleId === id)
    const filled = dates.map((date) => [date, own.filter((rsvp) => rsvp.serviceDate === date).length])
    return { id, name, needed, filled: Object.fromEntries(filled) }
  })
}

const notOfferedAnyMore =
  'A role you chose is no longer offered. Load the page again to see which are, and choose again.'

/** The refusal of roles that are not offered (any more). Not by name: ids can be guessed. */
export async function findRolesNotOffered(ids: number[]): Promise<UserError | undefined> {
  if (ids.length === 0) return undefined
  const known = await everyRole.all()
  const isRetired = known.some((role) => role.retired && ids.includes(role.id))
  if (isRetired) return new UserError('invalid', notOfferedAnyMore).at('volunteerRoles')
  const isKnown = ids.every((id) => known.some((role) => role.id === id))
  return isKnown ? undefined : new UserError('invalid', fromTheList).at('volunteerRoles')
}

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
