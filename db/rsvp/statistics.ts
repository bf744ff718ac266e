import { and, count, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db } from '../client.ts'
import { familyMembers } from '../family-member/table.ts'
import { operation } from '../operation.ts'
import { volunteerRoles, volunteerSignups } from '../volunteer-role/table.ts'
import { conditions, isLive } from './conditions.ts'
import { rsvpFilter } from './schema.ts'
import { rsvps } from './table.ts'

/** How many people and who offered to serve. `offers` counts the people who attend and offered to fill the role. */
export type Statistics = {
  responses: { attending: number; notAttending: number }
  /** Attending respondents and their attending family members; a respondent counts as an adult. */
  people: { expected: number; adults: number; teens: number; children: number; notSaid: number }
  roles: { id: number; name: string; retired: boolean; offers: number }[]
}

const coming = (age: string) => sql<number>`(
  SELECT count(*) FROM ${familyMembers} AS member JOIN ${rsvps} AS host ON host.id = member.rsvp_id
  WHERE host.deleted_at IS NULL AND host.attending AND member.attending AND coalesce(member.age, '') = ${age})`

/** How many responses there are of each kind. */
export const countRsvps = operation(rsvpFilter, async (filter) => {
  const [counts] = await db
    .select({ total: count(), attending: sql<number>`coalesce(sum(${rsvps.attending}), 0)` })
    .from(rsvps)
    .where(and(...conditions(filter)))
  const { total, attending } = counts ?? { total: 0, attending: 0 }
  return { attending, notAttending: total - attending }
})

/** Counts responses, people by age group, and offers by role. */
export const getStatistics = operation(z.unknown(), async (): Promise<Statistics> => {
  const [counted] = await db
    .select({
      total: sql<number>`count(*)`,
      attending: sql<number>`coalesce(sum(${rsvps.attending}), 0)`,
      adults: coming('adult'),
      teens: coming('teen'),
      children: coming('child'),
      notSaid: coming(''),
    })
    .from(rsvps)
    .where(isLive)
  if (counted === undefined) throw new Error('Counting answered nothing.')
  const { total, attending, teens, children, notSaid } = counted
  const adults = attending + counted.adults
  return {
    responses: { attending, notAttending: total - attending },
    people: { expected: adults + teens + children + notSaid, adults, teens, children, notSaid },
    roles: await countOffers(),
  }
})

/** Every role that is offered, and retired ones that somebody still fills. */
async function countOffers(): Promise<Statistics['roles']> {
  const offers = sql<number>`(
    SELECT count(*) FROM ${volunteerSignups} AS signup JOIN ${rsvps} AS host ON host.id = signup.rsvp_id
    WHERE host.deleted_at IS NULL AND host.attending AND signup.role_id = ${volunteerRoles}.id)`
  const roles = await db
    .select({ id: volunteerRoles.id, name: volunteerRoles.name, retired: volunteerRoles.retired, offers })
    .from(volunteerRoles)
    .orderBy(volunteerRoles.id)
  return roles.filter((role) => !role.retired || role.offers > 0)
}
