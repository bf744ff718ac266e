import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { db } from '#db/storage/client.ts'
import { countByWeek, getStatistics, sumOf } from './counts.ts'
import { deleteRsvp, eraseRsvps, restoreRsvp } from './delete.ts'
import { changeRsvp } from './entry.ts'
import { listDuplicates, mergeRsvps } from './merge.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const ages = [undefined, 'adult', 'teen', 'child']
const weeks = ['2026-11-19', '2026-11-12', '2026-12-03'].map((day) => new Date(`${day}T12:00:00Z`))

/** Those that count: the last of each person for a service, and all without an e-mail. */
const counting = sql`SELECT * FROM (
    SELECT *, email <> '' AND row_number() OVER (
      PARTITION BY service_date, upper(trim(email)), upper(trim(name)) ORDER BY max(created_at, ifnull(changed_at, '')) DESC, id DESC
    ) > 1 AS again
    FROM rsvps WHERE deleted_at IS NULL
  ) WHERE NOT again`

/** Every person who comes is a row, found in another way than the operations find them. */
const counted = sql`(
  WITH counting AS (${counting})
  SELECT day, count(*) AS people, total(age = 'adult') AS adults, total(age = 'teen') AS teens,
    total(age = 'child') AS children, total(age = '?') AS unsaid
  FROM (
    SELECT service_date AS day, 'adult' AS age FROM counting WHERE attending = 1
    UNION ALL
    SELECT (SELECT service_date FROM rsvps WHERE id = rsvp_id), ifnull(age, '?') FROM family_members
    WHERE attending = 1 AND rsvp_id IN (SELECT id FROM counting)
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

/** Each with another mix of who comes, of what age, for which service; the last twenty are of visitors who have sent one. */
function rsvpNumber(number: number) {
  const visitor = number < 40 ? number : number - 30
  const familyMembers = Array.from({ length: number % 5 }, (_, place) => ({
    name: `Member ${place}`,
    age: ages[(number + place * 3) % ages.length],
    attending: (number + place) % 3 !== 0,
  }))
  return testRsvp({
    name: number % 2 === 0 ? `Visitor ${visitor}` : `VISITOR ${visitor}`,
    email: `Visitor${visitor}@cole.example`,
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
    await eraseRsvps({ email: 'visitor4@cole.example' }, call)
    const after = await countedPeople()
    expect(after).toEqual(await countIndependently())
    expect(after).not.toEqual(before)
  })

  it('are those of the newest once duplicates are merged, and others once the older ones are restored and changed', async () => {
    const merged: number[] = []
    const merging = new Date('2026-12-04T12:00:00Z')
    const { duplicates } = await listDuplicates({}, call)
    expect(duplicates.length).toBeGreaterThan(3)
    for (const { id } of duplicates)
      merged.push(...(await mergeRsvps({ id: String(id) }, testCall({ now: merging }))).merged)
    const before = await countedPeople()
    expect(before).toEqual(await countIndependently())
    for (const id of merged) await restoreRsvp({ id: String(id) }, call)
    expect(await countedPeople()).toEqual(before)
    const now = new Date('2026-12-05T12:00:00Z')
    for (const id of merged.slice(1)) await changeRsvp({ id: String(id), message: 'Changed' }, testCall({ now }))
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
