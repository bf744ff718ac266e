import { and, count, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { familyMembers } from '#db/family-member/table.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { volunteerRoles, volunteerSignups } from '#db/volunteer-role/table.ts'
import { conditions } from './list/conditions.ts'
import { rsvpFilter } from './schema.ts'
import { rsvps } from './table.ts'

/** How many people and who offered to serve. `offers` counts the people who attend and offered to fill the role. */
export type Statistics = {
  responses: { attending: number; notAttending: number }
  /** Attending respondents, and attending family members also of those who cannot come; a respondent counts as an adult. */
  people: { expected: number; adults: number; teens: number; children: number; notSaid: number }
  roles: { id: number; name: string; retired: boolean; offers: number }[]
}

const coming = (age: string, meant: SQLWrapper) => sql<number>`(
  SELECT count(*) FROM ${familyMembers} AS member JOIN ${rsvps} AS host ON host.id = member.rsvp_id
  WHERE host.id IN ${meant} AND member.attending AND coalesce(member.age, '') = ${age})`

/** Which responses are counted; `ids` are those that were searched for. */
const countedOnes = z.extend(rsvpFilter, { ids: z.optional(z.array(z.int())) })

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
export const getStatistics = operation(countedOnes, async ({ ids, ...filter }): Promise<Statistics> => {
  const found = ids && sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const where = and(...conditions(filter), found)
  const meant = db.select({ id: rsvps.id }).from(rsvps).where(where)
  const [counts] = await db
    .select({
      total: sql<number>`count(*)`,
      attending: sql<number>`coalesce(sum(${rsvps.attending}), 0)`,
      adults: coming('adult', meant),
      teens: coming('teen', meant),
      children: coming('child', meant),
      notSaid: coming('', meant),
    })
    .from(rsvps)
    .where(where)
  if (counts === undefined) throw new Error('Counting returned no row.')
  const { total, attending, teens, children, notSaid } = counts
  const adults = attending + counts.adults
  return {
    responses: { attending, notAttending: total - attending },
    people: { expected: adults + teens + children + notSaid, adults, teens, children, notSaid },
    roles: await countOffers(meant),
  }
})

/** Every role that is offered, and retired ones that visitors still fill. */
async function countOffers(meant: SQLWrapper): Promise<Statistics['roles']> {
  const offers = sql<number>`(
    SELECT count(*) FROM ${volunteerSignups} AS signup JOIN ${rsvps} AS host ON host.id = signup.rsvp_id
    WHERE host.id IN ${meant} AND host.attending AND signup.role_id = ${volunteerRoles}.id)`
  const roles = await db
    .select({ id: volunteerRoles.id, name: volunteerRoles.name, retired: volunteerRoles.retired, offers })
    .from(volunteerRoles)
    .orderBy(volunteerRoles.id)
  return roles.filter((role) => !role.retired || role.offers > 0)
}
