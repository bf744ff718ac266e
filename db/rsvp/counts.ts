import { and, count, desc, eq, not, sql } from 'drizzle-orm'
import { parseInput } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { db } from '#db/storage/client.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { type AgeGroup, rsvpFilter } from '#db/values/rsvp.ts'
import type { StoredVolunteerRole } from '#db/values/volunteer-role.ts'
import { isSuperseded } from './duplicates.ts'
import { listEveryVolunteerRole } from './roles.ts'
import { conditions } from './search.ts'

/** Totals over `services` services. `offers` counts the people who attend and offered to fill the role. */
export type Statistics = Headcount & { services: number; roles: OfferedRole[] }
type OfferedRole = StoredVolunteerRole & { offers: number }

/** How many responses a filter finds. */
export async function countRsvps(input: unknown) {
  const filter = parseInput(rsvpFilter, input)
  return db.$count(rsvps, and(...conditions(filter)))
}

export async function getStatistics(input: unknown): Promise<Statistics> {
  const filter = parseInput(rsvpFilter, input)
  const weeks = await countByWeek(filter)
  const services = weeks.filter(({ skipped }) => !skipped).length
  return { ...sumOf(weeks), services, roles: await countOffers(filter) }
}

/** Attending respondents, who count as adults, and attending family members; `ofAbsent` if the respondent cannot come. */
type People = Record<'expected' | 'ofAbsent' | 'adults' | 'teens' | 'children' | 'notSaid', number>

/** `superseded` are the responses from which no people are counted, `counted` the others. */
export type Headcount = {
  counted: { attending: number; notAttending: number }
  people: People
  superseded: number
}

/** A skipped service counts no people. */
export type WeekHeadcount = Headcount & { date: string; skipped: boolean }

/** People who come to several services count several times. */
export function sumOf(weeks: Headcount[]): Headcount {
  const sum = (part: (week: Headcount) => number) => weeks.reduce((total, week) => total + part(week), 0)
  return {
    superseded: sum(({ superseded }) => superseded),
    counted: {
      attending: sum(({ counted }) => counted.attending),
      notAttending: sum(({ counted }) => counted.notAttending),
    },
    people: {
      expected: sum(({ people }) => people.expected),
      ofAbsent: sum(({ people }) => people.ofAbsent),
      adults: sum(({ people }) => people.adults),
      teens: sum(({ people }) => people.teens),
      children: sum(({ people }) => people.children),
      notSaid: sum(({ people }) => people.notSaid),
    },
  }
}

/** Counts responses, and people by age group, for each service with responses, the latest first. */
export async function countByWeek(input: unknown): Promise<WeekHeadcount[]> {
  const filter = parseInput(rsvpFilter, input)
  const wanted = and(...conditions(filter))
  const [respondents, members, { skippedDates }] = await Promise.all([
    db
      .select({
        date: rsvps.serviceDate,
        attending: rsvps.attending,
        isAgain: sql<number>`${isSuperseded}`.as('is_again'),
        people: count(),
      })
      .from(rsvps)
      .where(wanted)
      .groupBy(({ date, attending, isAgain }) => [date, attending, isAgain])
      .orderBy(desc(rsvps.serviceDate)),
    db
      .select({ date: rsvps.serviceDate, attending: rsvps.attending, age: familyMembers.age, people: count() })
      .from(rsvps)
      .innerJoin(familyMembers, and(eq(familyMembers.rsvpId, rsvps.id), familyMembers.attending))
      .where(and(wanted, not(isSuperseded)))
      .groupBy(rsvps.serviceDate, rsvps.attending, familyMembers.age),
    readSchedule(),
  ])
  const familyOn = Map.groupBy(members, ({ date }) => date)
  return Array.from(
    Map.groupBy(respondents, ({ date }) => date),
    ([date, sent]) => {
      const counts = sent.filter(({ isAgain }) => isAgain === 0)
      const coming = total(counts.filter((group) => group.attending))
      const family = familyOn.get(date) ?? []
      const ofAge = (age: AgeGroup | null) => total(family.filter((member) => member.age === age))
      const people = {
        expected: coming + total(family),
        ofAbsent: total(family.filter((group) => !group.attending)),
        adults: coming + ofAge('adult'),
        teens: ofAge('teen'),
        children: ofAge('child'),
        notSaid: ofAge(null),
      }
      const skipped = skippedDates.includes(date)
      return {
        date,
        skipped,
        counted: { attending: coming, notAttending: total(counts) - coming },
        superseded: total(sent) - total(counts),
        people: skipped ? sumOf([]).people : people,
      }
    },
  )
}

/** Counts the offers for each role on offer, and for each retired role that still has some. */
export async function countOffers(input: unknown): Promise<OfferedRole[]> {
  const filter = parseInput(rsvpFilter, input)
  const offers = await db
    .select({ roleId: volunteerSignups.roleId, people: count() })
    .from(rsvps)
    .innerJoin(volunteerSignups, eq(volunteerSignups.rsvpId, rsvps.id))
    .where(and(rsvps.attending, ...conditions(filter), not(isSuperseded)))
    .groupBy(volunteerSignups.roleId)
  const roles = await listEveryVolunteerRole()
  return roles
    .map((role) => ({ ...role, offers: offers.find(({ roleId }) => roleId === role.id)?.people ?? 0 }))
    .filter((role) => !role.retired || role.offers > 0)
}

function total(groups: { people: number }[]): number {
  return groups.reduce((sum, { people }) => sum + people, 0)
}
