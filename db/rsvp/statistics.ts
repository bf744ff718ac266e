import { and, count, eq, not, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { operation } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { db } from '#db/storage/client.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import { volunteerRoles, volunteerSignups } from '#db/volunteer-role/table.ts'
import { conditions, oneOf } from './conditions.ts'
import { listSuperseded } from './duplicates/superseded.ts'
import { countWeeks, type Headcount, sumOf, type WeekHeadcount } from './headcount.ts'
import { rsvpFilter } from './list-schema.ts'
import { rsvps } from './table.ts'

/**
 * How many people and who offered to serve, at so many services together. `offers` counts the people who attend and offered
 * to fill the role.
 */
export type Statistics = Headcount & { services: number; roles: OfferedRole[] }
type OfferedRole = StoredVolunteerRole & { offers: number }

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
export const getStatistics = operation(countedOnes, async (filter): Promise<Statistics> => {
  const superseded = await listSuperseded(filter.week)
  const counted = countedBy(filter)
  const [weeks, { skippedDates }] = await Promise.all([countWeeks(counted, superseded), readSchedule()])
  const services = weeks.filter(({ date }) => !skippedDates.includes(date)).length
  return { ...sumOf(weeks), services, roles: await countRoles(counted, superseded) }
})

/** Counts the offers to fill each role: every one that is offered, and retired ones that visitors still fill. */
export const countOffers = operation(
  countedOnes,
  async (filter): Promise<OfferedRole[]> => countRoles(countedBy(filter), await listSuperseded(filter.week)),
)

/** Counts responses, and people by age group, for each service that there are responses for, the latest first. */
export const countByWeek = operation(
  countedOnes,
  async (filter): Promise<WeekHeadcount[]> => countWeeks(countedBy(filter), await listSuperseded(filter.week)),
)

function countedBy({ ids, ...filter }: z.output<typeof countedOnes>): SQL | undefined {
  return and(...conditions(filter), ids && oneOf(ids))
}

async function countRoles(counted: SQL | undefined, superseded: number[]): Promise<OfferedRole[]> {
  const offers = db
    .select({ roleId: volunteerSignups.roleId, count: count().as('offers') })
    .from(rsvps)
    .innerJoin(volunteerSignups, eq(volunteerSignups.rsvpId, rsvps.id))
    .where(and(rsvps.attending, counted, not(oneOf(superseded))))
    .groupBy(volunteerSignups.roleId)
    .as('offers')
  const roles = await db
    .select({
      id: volunteerRoles.id,
      name: volunteerRoles.name,
      retired: volunteerRoles.retired,
      needed: volunteerRoles.needed,
      offers: sql<number>`coalesce(${offers.count}, 0)`,
    })
    .from(volunteerRoles)
    .leftJoin(offers, eq(offers.roleId, volunteerRoles.id))
    .orderBy(volunteerRoles.id)
  return roles.filter((role) => !role.retired || role.offers > 0)
}
