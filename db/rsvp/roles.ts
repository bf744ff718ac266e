import { and, asc, count, eq, inArray, isNull, not } from 'drizzle-orm'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { db } from '#db/storage/client.ts'
import { offered, storeRoleChange, withNeed, withoutNull } from '#db/volunteer-role/operations.ts'
import { type OfferedRole, volunteerRoleChange } from '#db/volunteer-role/schema.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { isSuperseded } from './duplicates.ts'
import { rsvps, volunteerSignups } from './table.ts'

/** The roles that are offered, in the order they were made, and how many fill them at the next services. */
export const listVolunteerRoles = operationWithoutInput(async ({ now }): Promise<OfferedRole[]> => {
  const roles = await offeredRoles.all()
  const limited = roles.filter(({ needed }) => needed !== null).map(({ id }) => id)
  if (limited.length === 0) return roles.map(withoutNull)
  const dates = offeredServices(await readSchedule(), now).map(({ date }) => date)
  const counted = await db
    .select({ roleId: volunteerSignups.roleId, date: rsvps.serviceDate, people: count() })
    .from(rsvps)
    .innerJoin(volunteerSignups, eq(volunteerSignups.rsvpId, rsvps.id))
    .where(and(inArray(rsvps.serviceDate, dates), inArray(volunteerSignups.roleId, limited), isFilling))
    .groupBy(volunteerSignups.roleId, rsvps.serviceDate)
  return roles.map((role) => {
    if (role.needed === null) return withoutNull(role)
    const peopleOn = (day: string) => counted.find(({ roleId, date }) => roleId === role.id && date === day)?.people
    return { ...withoutNull(role), filled: Object.fromEntries(dates.map((date) => [date, peopleOn(date) ?? 0])) }
  })
})

/**
 * Renames a role, changes how many people fill it, retires it or offers it again. Whoever fills it already stays: it then
 * says for which services there are more than it needs.
 * @throws UserError 'not-found' when there is no such role, 'invalid' when another is offered under that name.
 */
export const changeVolunteerRole = operation(volunteerRoleChange, async (change, call): Promise<OfferedRole> => {
  const role = await storeRoleChange(change, call)
  return (await listVolunteerRoles(call)).find((known) => known.id === role.id) ?? role
})

const offeredRoles = db.select(withNeed).from(volunteerRoles).where(offered).orderBy(asc(volunteerRoles.id)).prepare()

/**
 * Who fills a role: who attends, without deleted and superseded RSVPs. Only RSVPs that visitors send have to leave room for
 * others: an administrator who restores one decides alone whether there are more than needed.
 */
export const isFilling = and(rsvps.attending, isNull(rsvps.deletedAt), not(isSuperseded('rsvps')))
