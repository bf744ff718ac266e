import { and, asc, count, eq, inArray, isNull, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { db } from '#db/storage/client.ts'
import { offered, storeRoleChange, withNeed, withoutNull } from '#db/volunteer-role/operations.ts'
import { type OfferedRole, volunteerRoleChange } from '#db/volunteer-role/schema.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { isSame, isSuperseded, lastWord, rowOf, type Sender } from './duplicates.ts'
import { momentOfChange } from './moments.ts'
import type { StoredRsvp } from './schema.ts'
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

/**
 * How many people fill a role at the service on a day: those who attend, without deleted and superseded RSVPs. Only RSVPs that visitors
 * send have to leave room for others: an administrator who restores one decides alone whether there are more than needed.
 * @param counted which of these RSVPs are counted, e.g. without one that is being changed; a query calls them `host`.
 */
export function countFilling(role: SQLWrapper, date: SQLWrapper, counted = sql`true`): SQL<number> {
  return sql`(
    SELECT count(*) FROM ${rsvps} AS host JOIN ${volunteerSignups} AS signup ON signup.rsvp_id = host.id
    WHERE host.service_date = ${date} AND host.attending AND host.deleted_at IS NULL
      AND signup.role_id = ${role} AND ${counted} AND NOT ${isSuperseded('host')})`
}

// The places in roles where a person has sent several RSVPs: the newest alone takes them.

/** The roles that an RSVP fills by a write of its sender. Those that are `kept` it fills already, unless it is superseded. */
export type Claims = { roles: number[]; kept: number[] }

/** The id and the name of those roles that others fill. What the same person sent before takes no place beside it. */
export function filledAmong({ roles, kept }: Claims, sent: Sender & { id: number }): SQL {
  const isOwn = sql`EXISTS (SELECT 1 FROM ${rowOf(sent)} AS sent WHERE ${isSame(sql.raw('host'), sql.raw('sent'))})`
  const others = countFilling(sql`role.id`, sql`${sent.serviceDate}`, sql`host.id <> ${sent.id} AND NOT ${isOwn}`)
  const isKept = sql`role.id IN (SELECT value FROM json_each(${JSON.stringify(kept)}))
    AND EXISTS (SELECT 1 FROM ${rsvps} AS own WHERE own.id = ${sent.id} AND NOT ${isSuperseded('own')})`
  return sql`SELECT role.id AS id, role.name AS name FROM json_each(${JSON.stringify(roles)}) AS wish
    JOIN ${volunteerRoles} AS role ON role.id = wish.value
    WHERE role.needed IS NOT NULL AND NOT (${isKept}) AND ${others} >= role.needed`
}

/** The names of those roles. */
export async function findFilledRoles(claims: Claims, sent: Sender & { id: number }): Promise<string[]> {
  const found = await db.select({ name: sql<string>`name` }).from(sql`(${filledAmong(claims, sent)})`)
  return found.map(({ name }) => name)
}

/**
 * An earlier RSVP of a person counts again once the newest is withdrawn, or is another person's or for another service by
 * now: without the roles that others fill meanwhile. These statements stand in the batch behind the line of the audit, which
 * is written if anything was changed.
 * @param newest as it was before.
 */
export function leaveFilledRoles(newest: StoredRsvp, { now }: Call) {
  const earlier = sql.raw('earlier')
  const others = countFilling(sql`role.id`, sql`earlier.service_date`, sql`host.id <> earlier.id`)
  const countsAgain = sql`${rowOf(newest)} AS person JOIN ${rsvps} AS earlier ON ${isSame(earlier, sql.raw('person'))}
    AND ${lastWord(earlier)} < (${newest.changedAt ?? newest.createdAt}, ${newest.id}) AND NOT ${isSuperseded('earlier')}`
  return [
    db.delete(volunteerSignups).where(
      sql`changes() > 0 AND (${volunteerSignups.rsvpId}, ${volunteerSignups.roleId}) IN (
        SELECT earlier.id, role.id FROM ${countsAgain} JOIN ${volunteerSignups} AS offer ON offer.rsvp_id = earlier.id
          JOIN ${volunteerRoles} AS role ON role.id = offer.role_id
        WHERE role.needed IS NOT NULL AND earlier.attending AND ${others} >= role.needed)`,
    ),
    // Whoever has read it before would give it the roles back.
    db
      .update(rsvps)
      .set({ changedAt: momentOfChange(now) })
      .where(sql`changes() > 0 AND ${rsvps.id} IN (SELECT earlier.id FROM ${countsAgain})`),
  ] as const
}

const offeredRoles = db.select(withNeed).from(volunteerRoles).where(offered).orderBy(asc(volunteerRoles.id)).prepare()

/** Who attends, without deleted and superseded RSVPs. */
const isFilling = and(rsvps.attending, isNull(rsvps.deletedAt), not(isSuperseded('rsvps')))
