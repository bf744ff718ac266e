import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeOnBothDatabases, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { countByWeek, countRsvps, getStatistics, sumOf } from './counts.ts'
import { deleteRsvp, deleteRsvps, eraseRsvps, restoreRsvps } from './delete.ts'
import { changeRsvp } from './entry.ts'
import { listDuplicates, mergeRsvps } from './merge.ts'
import { changeVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'
import { rsvps } from './table.ts'

const call = testCall()

describe('statistics', () => {
  openForTests()
  beforeEach(() => transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ retired: false })])))

  let visitors = 0
  /** Each is of another visitor. */
  async function addRsvp(changes: Record<string, unknown>, now = call.now) {
    return createRsvp(testRsvp({ email: `visitor${++visitors}@cole.example`, ...changes }), testCall({ now }))
  }

  it('count nothing at first, and every role that is offered', async () => {
    expect(await countRsvps({}, call)).toEqual({ attending: 0, notAttending: 0 })
    const { responses, people, roles } = await getStatistics({}, call)
    expect({ responses, people }).toEqual({
      responses: { attending: 0, notAttending: 0 },
      people: { expected: 0, adults: 0, teens: 0, children: 0, notSaid: 0 },
    })
    expect(roles[0]).toEqual({ id: 1, name: 'Greeter', retired: false, needed: null, offers: 0 })
    expect(roles.map(({ id, offers }) => [id, offers])).toEqual([1, 2, 3, 4, 5, 6].map((id) => [id, 0]))
  })

  it('expect who comes, by age: no members that stay at home, but the family of a visitor who cannot come', async () => {
    const [child, adult, teen] = [
      { name: 'Joel Cole', age: 'child' },
      { name: 'Ida Cole', age: 'adult' },
      { name: 'Tim Cole', age: 'teen' },
    ]
    await addRsvp({ familyMembers: [child, adult, teen, teen, { ...child, attending: false }] })
    await addRsvp({ attending: false, familyMembers: [adult, { name: 'Leo Cole' }] })
    expect(await getStatistics({}, call)).toMatchObject({
      responses: { attending: 1, notAttending: 1 },
      people: { expected: 7, adults: 3, teens: 2, children: 1, notSaid: 1 },
    })
  })

  it('count offers of people who attend, and name a retired role while a visitor fills it', async () => {
    const { id } = await createVolunteerRole({ name: 'Parking' }, call)
    await addRsvp({ volunteerRoles: [1, 2] })
    const offer = await addRsvp({ volunteerRoles: [2, id] })
    await addRsvp({ attending: false, volunteerRoles: [2, 3] })
    for (const role of [id, 3, 4]) await changeVolunteerRole({ id: String(role), retired: true }, call)
    const { roles } = await getStatistics({}, call)
    expect(roles.map((role) => [role.id, role.offers])).toEqual([
      [1, 1],
      [2, 2],
      [5, 0],
      [6, 0],
      [id, 1],
    ])
    expect(roles.at(-1)).toEqual({ id, name: 'Parking', retired: true, needed: null, offers: 1 })
    await deleteRsvp({ id: String(offer.id) }, call)
    expect((await getStatistics({}, call)).roles.map((role) => role.id)).toEqual([1, 2, 5, 6])
  })

  it('count what a filter leaves', async () => {
    await addRsvp({}, new Date('2025-01-04T23:59:59.999Z'))
    await addRsvp({}, new Date('2025-01-05T00:00:00.000Z'))
    await addRsvp({ attending: false }, new Date('2025-01-06T00:00:00.000Z'))
    const since = '2025-01-05T00:00:00Z'
    expect(await countRsvps({ since }, call)).toEqual({ attending: 1, notAttending: 1 })
    expect(await countRsvps({ status: 'attending' }, call)).toEqual({ attending: 2, notAttending: 0 })
    expect(await countRsvps({ status: 'not-attending', since }, call)).toEqual({ attending: 0, notAttending: 1 })
  })
})

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

describeOnBothDatabases('people expected', () => {
  const weeks = ['2026-11-19', '2026-11-12', '2026-12-03'].map((day) => new Date(`${day}T12:00:00Z`))
  const ages = [undefined, 'adult', 'teen', 'child']
  let ids: number[] = []

  /** Each with another mix of who comes, of what age, for which service; the last twenty are of visitors who have sent one. */
  beforeAll(async () => {
    const sent = Array.from({ length: 60 }, (_, number) => {
      const visitor = number < 40 ? number : number - 30
      const familyMembers = Array.from({ length: number % 5 }, (__, place) => ({
        name: `Member ${place}`,
        age: ages[(number + place * 3) % ages.length],
        attending: (number + place) % 3 !== 0,
      }))
      const rsvp = testRsvp({
        name: number % 2 === 0 ? `Visitor ${visitor}` : `VISITOR ${visitor}`,
        email: `Visitor${visitor}@cole.example`,
        attending: number % 4 !== 1,
        familyMembers,
        volunteerRoles: number % 6 === 0 ? [1, 2] : [],
      })
      return createRsvp(rsvp, testCall({ now: weeks[number % weeks.length] ?? call.now }))
    })
    ids = (await Promise.all(sent)).map(({ id }) => id)
  })

  const countedPeople = async () => (await countByWeek({}, call)).map(({ date, people }) => ({ date, ...people }))
  async function expectAsCounted() {
    const people = await countedPeople()
    expect(people).toEqual(await countIndependently())
    return people
  }

  it('are those of an independent count, for every service, whatever is deleted, restored, erased and merged', async () => {
    const all = await expectAsCounted()
    expect(all).toHaveLength(weeks.length)
    await deleteRsvps({ ids: ids.slice(10, 30) }, call)
    await restoreRsvps({ ids: ids.slice(10, 14) }, call)
    await eraseRsvps({ email: 'visitor4@cole.example' }, call)
    expect(await expectAsCounted()).not.toEqual(all)

    const { duplicates } = await listDuplicates({}, call)
    expect(duplicates.length).toBeGreaterThan(3)
    const merging = testCall({ now: new Date('2026-12-04T12:00:00Z') })
    const merged: number[] = []
    for (const { id } of duplicates) merged.push(...(await mergeRsvps({ id: String(id) }, merging)).merged)
    const once = await expectAsCounted()
    await restoreRsvps({ ids: merged }, call)
    expect(await countedPeople()).toEqual(once)
    const later = testCall({ now: new Date('2026-12-05T12:00:00Z') })
    for (const id of merged.slice(1)) await changeRsvp({ id: String(id), message: 'Changed' }, later)
    expect(await expectAsCounted()).not.toEqual(once)
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
