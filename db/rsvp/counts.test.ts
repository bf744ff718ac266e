import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { deleteRsvp } from './delete.ts'
import { changeVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'
import { rsvps } from './table.ts'

const call = testCall()
const noPeople = { expected: 0, adults: 0, teens: 0, children: 0, notSaid: 0 }

let visitors = 0
/** Each is of another visitor. */
async function addRsvp(changes: Record<string, unknown>, now = call.now) {
  return createRsvp(testRsvp({ email: `visitor${++visitors}@cole.example`, ...changes }), testCall({ now }))
}

describeOnBothDatabases('statistics', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ retired: false })]))
  })

  it('count nothing at first, and every role that is offered', async () => {
    expect(await countRsvps({}, call)).toEqual({ attending: 0, notAttending: 0 })
    const { responses, people, roles } = await getStatistics({}, call)
    expect({ responses, people }).toEqual({ responses: { attending: 0, notAttending: 0 }, people: noPeople })
    expect(roles[0]).toEqual({ id: 1, name: 'Greeter', retired: false, needed: null, offers: 0 })
    expect(roles.map(({ id, offers }) => [id, offers])).toEqual([1, 2, 3, 4, 5, 6].map((id) => [id, 0]))
  })

  it('count people by age, each respondent as an adult', async () => {
    await addRsvp({
      familyMembers: [
        { name: 'Joel Cole', age: 'child' },
        { name: 'Ida Cole', age: 'adult' },
      ],
    })
    await addRsvp({
      familyMembers: [
        { name: 'Tim Cole', age: 'teen' },
        { name: 'Mia Cole', age: 'teen' },
        { name: 'Eva Cole' },
        { name: 'Leo Cole' },
      ],
    })
    expect(await getStatistics({}, call)).toMatchObject({
      responses: { attending: 2, notAttending: 0 },
      people: { expected: 8, adults: 3, teens: 2, children: 1, notSaid: 2 },
    })
  })

  it('expect who comes: no members that stay at home, but the family of a visitor who cannot come', async () => {
    await addRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child', attending: false }] })
    await addRsvp({ attending: false, familyMembers: [{ name: 'Ida Cole', age: 'adult' }, { name: 'Leo Cole' }] })
    expect(await getStatistics({}, call)).toMatchObject({
      responses: { attending: 1, notAttending: 1 },
      people: { ...noPeople, expected: 3, adults: 2, notSaid: 1 },
    })
  })

  it('count offers of people who attend', async () => {
    await addRsvp({ volunteerRoles: [1, 2] })
    await addRsvp({ volunteerRoles: [2] })
    await addRsvp({ attending: false, volunteerRoles: [2, 3] })
    const { roles } = await getStatistics({}, call)
    expect(roles.map(({ offers }) => offers)).toEqual([1, 2, 0, 0, 0, 0])
  })

  it('name a retired role while a visitor fills it', async () => {
    const { id } = await createVolunteerRole({ name: 'Parking' }, call)
    const offer = await addRsvp({ volunteerRoles: [id] })
    await addRsvp({ attending: false, volunteerRoles: [3] })
    for (const role of [id, 3, 4]) await changeVolunteerRole({ id: String(role), retired: true }, call)
    const { roles } = await getStatistics({}, call)
    expect(roles.map((role) => role.id)).toEqual([1, 2, 5, 6, id])
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
    expect(await countRsvps({ since: '2025-01-07T00:00:00Z' }, call)).toEqual({ attending: 0, notAttending: 0 })
  })
})
