import { beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#db/storage/client.ts'
import { rsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { countByWeek, getStatistics, sumOf } from './counts.ts'
import { deleteRsvp } from './delete.ts'
import { changeVolunteerRole, createVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'

const call = testCall()

describe('statistics', () => {
  openForTests()
  beforeEach(() => transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ retired: false })])))

  let visitors = 0
  /** Each is of another visitor. */
  async function addRsvp(changes: Record<string, unknown>, now = call.now) {
    return createRsvp(testRsvp({ email: `visitor${++visitors}@cole.example`, ...changes }), testCall({ now }))
  }

  it('expect who comes, by age: no members that stay at home, but the family of a visitor who cannot come', async () => {
    const [child, adult, teen] = [
      { name: 'Joel Cole', age: 'child' },
      { name: 'Ida Cole', age: 'adult' },
      { name: 'Tim Cole', age: 'teen' },
    ]
    await addRsvp({ familyMembers: [child, adult, teen, teen, { ...child, attending: false }] })
    await addRsvp({ attending: false, familyMembers: [adult, { name: 'Leo Cole' }] })
    expect(await getStatistics({})).toMatchObject({
      counted: { attending: 1, notAttending: 1 },
      people: { expected: 7, ofAbsent: 2, adults: 3, teens: 2, children: 1, notSaid: 1 },
    })
  })

  it('count offers of people who attend, and name a retired role while a visitor fills it', async () => {
    const { id } = await createVolunteerRole({ name: 'Parking' }, call)
    await addRsvp({ volunteerRoles: [1, 2] })
    const offer = await addRsvp({ volunteerRoles: [2, id] })
    await addRsvp({ attending: false, volunteerRoles: [2, 3] })
    for (const role of [id, 3, 4]) await changeVolunteerRole({ id: String(role), retired: true }, call)
    const { roles } = await getStatistics({})
    expect(roles.map((role) => [role.id, role.offers])).toEqual([
      [1, 1],
      [2, 2],
      [5, 0],
      [6, 0],
      [id, 1],
    ])
    expect(roles.at(-1)).toEqual({ id, name: 'Parking', retired: true, needed: null, offers: 1 })
    await deleteRsvp({ id: String(offer.id) }, call)
    expect((await getStatistics({})).roles.map((role) => role.id)).toEqual([1, 2, 5, 6])
  })

  it('of all services are their sum, without a skipped one, and a filter by one leaves the others out', async () => {
    const family = { familyMembers: [{ name: 'Joel Cole', age: 'child' }] }
    for (const serviceDate of ['2025-01-11', '2025-01-18', '2025-01-25']) await addRsvp({ ...family, serviceDate })
    await changeSchedule({ skippedDates: ['2025-01-25'] }, call)
    const weeks = await countByWeek({})
    expect(weeks.map(({ date, people }) => [date, people.expected])).toEqual([
      ['2025-01-25', 0],
      ['2025-01-18', 2],
      ['2025-01-11', 2],
    ])
    expect(await getStatistics({})).toMatchObject({ services: 2, people: sumOf(weeks).people })
    for (const week of weeks) expect(await countByWeek({ week: week.date })).toEqual([week])
  })
})
