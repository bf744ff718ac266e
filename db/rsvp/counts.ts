import { and, count, desc, eq, not, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { operation } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { db } from '#db/storage/client.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { listSuperseded } from './duplicates.ts'
import type { AgeGroup } from './family-member.ts'
import { conditions, oneOf } from './list/conditions.ts'
import { rsvpFilter } from './list/schema.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'

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

/** Attending respondents, and attending family members also of those who cannot come; a respondent counts as an adult. */
export type People = { expected: number; adults: number; teens: number; children: number; notSaid: number }

/** `responses` are all that are stored. People are not counted from those that are `superseded`, of which that is the number. */
export type Headcount = {
  responses: { attending: number; notAttending: number }
  people: People
  superseded: number
}

/** How many come to the service on a day. */
export type WeekHeadcount = Headcount & { date: string }

/** The services together. Whoever comes to several counts several times. */
export function sumOf(weeks: Headcount[]): Headcount {
  const sum = (part: (week: Headcount) => number) => weeks.reduce((total, week) => total + part(week), 0)
  return {
    superseded: sum(({ superseded }) => superseded),
    responses: {
      attending: sum(({ responses }) => responses.attending),
      notAttending: sum(({ responses }) => responses.notAttending),
    },
    people: {
      expected: sum(({ people }) => people.expected),
      adults: sum(({ people }) => people.adults),
      teens: sum(({ people }) => people.teens),
      children: sum(({ people }) => people.children),
      notSaid: sum(({ people }) => people.notSaid),
    },
  }
}

/** How many come to each service that there are counted RSVPs for, the latest first: to one that is skipped no one. */
export async function countWeeks(counted: SQL | undefined, superseded: number[]): Promise<WeekHeadcount[]> {
  const [weeks, leftOut, { skippedDates }] = await Promise.all([
    countStored(counted),
    superseded.length === 0 ? [] : countStored(and(counted, oneOf(superseded))),
    readSchedule(),
  ])
  const leftOutOf = new Map(leftOut.map((week) => [week.date, week]))
  return weeks.map((week) => {
    const headcount = withoutPeople(week, leftOutOf.get(week.date))
    return skippedDates.includes(week.date) ? { ...headcount, people: sumOf([]).people } : headcount
  })
}

type StoredHeadcount = Omit<WeekHeadcount, 'superseded'>

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

/** The people of the superseded RSVPs are subtracted: there are few, so that this costs less than to look at each RSVP. */
function withoutPeople(week: StoredHeadcount, leftOut: StoredHeadcount | undefined): WeekHeadcount {
  if (leftOut === undefined) return { ...week, superseded: 0 }
  const { people } = week
  return {
    ...week,
    people: {
      expected: people.expected - leftOut.people.expected,
      adults: people.adults - leftOut.people.adults,
      teens: people.teens - leftOut.people.teens,
      children: people.children - leftOut.people.children,
      notSaid: people.notSaid - leftOut.people.notSaid,
    },
    superseded: leftOut.responses.attending + leftOut.responses.notAttending,
  }
}

/** One statement, which takes 55 ms with 100,000 responses: respondents and family members are counted side by side. */
async function countStored(counted: SQL | undefined): Promise<StoredHeadcount[]> {
  const respondents = db
    .select({
      date: rsvps.serviceDate,
      total: count().as('total'),
      attending: sql<number>`sum(${rsvps.attending})`.as('attending'),
    })
    .from(rsvps)
    .where(counted)
    .groupBy(rsvps.serviceDate)
    .as('respondents')
  const members = db
    .select({
      date: sql<string>`${rsvps.serviceDate}`.as('day'),
      adults: countOf('adult').as('adults'),
      teens: countOf('teen').as('teens'),
      children: countOf('child').as('children'),
      all: count().as('everyone'),
    })
    .from(rsvps)
    .innerJoin(familyMembers, and(eq(familyMembers.rsvpId, rsvps.id), familyMembers.attending))
    .where(counted)
    .groupBy(rsvps.serviceDate)
    .as('members')
  const weeks = await db
    .select()
    .from(respondents)
    .leftJoin(members, eq(members.date, respondents.date))
    .orderBy(desc(respondents.date))
  return weeks.map(({ respondents: { date, total, attending }, members: family }) => {
    const { adults, teens, children, all } = family ?? { adults: 0, teens: 0, children: 0, all: 0 }
    return {
      date,
      responses: { attending, notAttending: total - attending },
      people: {
        expected: attending + all,
        adults: attending + adults,
        teens,
        children,
        notSaid: all - adults - teens - children,
      },
    }
  })
}

function countOf(age: AgeGroup): SQL<number> {
  return sql<number>`count(*) FILTER (WHERE ${familyMembers.age} = ${age})`
}
