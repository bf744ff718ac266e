import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { db } from '#db/storage/client.ts'
import { createRsvp } from './operations.ts'
import { deleteRsvp, eraseRsvps, restoreRsvp } from './retention/deletion.ts'
import { countByWeek, getStatistics, sumOf } from './statistics.ts'

const call = testCall()
const ages = [undefined, 'adult', 'teen', 'child']
const weeks = ['2026-11-19', '2026-11-12', '2026-12-03'].map((day) => new Date(`${day}T12:00:00Z`))

/** Every person who comes is a row, found in another way than the operations find them. */
const counted = sql`(
  SELECT day, count(*) AS people, total(age = 'adult') AS adults, total(age = 'teen') AS teens,
    total(age = 'child') AS children, total(age = '?') AS unsaid
  FROM (
    SELECT service_date AS day, 'adult' AS age FROM rsvps WHERE attending = 1 AND deleted_at IS NULL
    UNION ALL
    SELECT (SELECT service_date FROM rsvps WHERE id = rsvp_id), ifnull(age, '?') FROM family_members
    WHERE attending = 1 AND rsvp_id NOT IN (SELECT id FROM rsvps WHERE deleted_at IS NOT NULL)
  ) GROUP BY day ORDER BY day DESC)`

function countIndependently() {
  return db
    .select({
      date: sql<string>`day`,
      expected: sql<number>`people`,
      adults: sql<number>`adults`,
      teens: sql<number>`teens`,
      children: sql<number>`children`,
      notSaid: sql<number>`unsaid`,
    })
    .from(counted)
}

async function countedPeople() {
  return (await countByWeek({}, call)).map(({ date, people }) => ({ date, ...people }))
}

/** Each with another mix of who comes, of what age, for which service. */
function rsvpNumber(number: number) {
  const familyMembers = Array.from({ length: number % 5 }, (_, place) => ({
    name: `Member ${place}`,
    age: ages[(number + place * 3) % ages.length],
    attending: (number + place) % 3 !== 0,
  }))
  return testRsvp({
    name: `Visitor ${number}`,
    email: `visitor${number}@cole.example`,
    attending: number % 4 !== 1,
    familyMembers,
    volunteerRoles: number % 6 === 0 ? [1, 2] : [],
  })
}

describeOnBothDatabases('people expected', () => {
  const ids: string[] = []

  beforeAll(async () => {
    for (let number = 0; number < 60; number++) {
      const now = weeks[number % weeks.length] ?? call.now
      ids.push(String((await createRsvp(rsvpNumber(number), testCall({ now }))).id))
    }
  })

  it('are those of an independent count, for every service', async () => {
    const people = await countIndependently()
    expect(people).toHaveLength(weeks.length)
    expect(await countedPeople()).toEqual(people)
  })

  it('are without those of deleted and erased responses, and with those of restored ones', async () => {
    const before = await countedPeople()
    for (const id of ids.slice(10, 30)) await deleteRsvp({ id }, call)
    for (const id of ids.slice(10, 14)) await restoreRsvp({ id }, call)
    await eraseRsvps({ email: 'visitor40@cole.example' }, call)
    const after = await countedPeople()
    expect(after).toEqual(await countIndependently())
    expect(after).not.toEqual(before)
  })

  it('of all services are their sum, and a filter by one leaves the others out', async () => {
    const all = await countByWeek({}, call)
    expect((await getStatistics({}, call)).people).toEqual(sumOf(all).people)
    for (const week of all) {
      expect(await countByWeek({ week: week.date }, call)).toEqual([week])
      expect(await getStatistics({ week: week.date }, call)).toMatchObject({ people: week.people })
    }
  })
})
