import { expect, it } from 'vitest'
import { auditLines, describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvp } from '#db/rsvp/delete.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { createVolunteerRole, listEveryVolunteerRole } from './operations.ts'

const call = testCall()
const seeded = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']

const inUse = (name: string) => ({
  code: 'invalid',
  fields: [{ path: 'name', message: `There is a role named ${name} already. Give this one another name.` }],
})

async function names() {
  return (await listVolunteerRoles(call)).map(({ name }) => name)
}

describeOnBothDatabases('volunteer role operations', () => {
  it('offers the six seeded roles at first', async () => {
    expect(await names()).toEqual(seeded)
  })

  it('adds, renames, retires and offers again', async () => {
    const { id } = await createVolunteerRole({ name: ' Parking ' }, call)
    expect(await names()).toEqual([...seeded, 'Parking'])
    expect(await changeVolunteerRole({ id: String(id), name: 'Parking Lot' }, call)).toEqual({
      id,
      name: 'Parking Lot',
    })
    await changeVolunteerRole({ id: String(id), retired: true }, call)
    expect(await names()).toEqual(seeded)
    await changeVolunteerRole({ id: String(id), retired: false }, call)
    expect(await names()).toEqual([...seeded, 'Parking Lot'])
    const acts = ['added', 'changed', 'changed', 'changed']
    expect(await auditLines()).toEqual(acts.map((act) => `${call.actor}: role ${act} ${id}`))
  })

  it.each([{ name: '\u200b' }, { name: 'x'.repeat(81) }, {}])('refuses %o', async (role) => {
    await expect(createVolunteerRole(role, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('refuses a name that is in use, in capitals too, but not the role its own', async () => {
    await expect(createVolunteerRole({ name: 'USHER' }, call)).rejects.toMatchObject(inUse('USHER'))
    await expect(changeVolunteerRole({ id: '1', name: 'USHER' }, call)).rejects.toMatchObject(inUse('USHER'))
    expect(await changeVolunteerRole({ id: '2', name: 'usher' }, call)).toEqual({ id: 2, name: 'usher' })
    await changeVolunteerRole({ id: '2', name: 'Usher' }, call)
  })

  it('says of a role with a need how many fill it at each of the next services, and of others nothing', async () => {
    const music = { id: 3, name: 'Music', needed: 2 }
    expect(await changeVolunteerRole({ id: '3', needed: 2 }, call)).toMatchObject(music)
    const [early, late] = ['2025-01-11', '2025-02-15']
    const offers = [
      { volunteerRoles: [3, 2] },
      { volunteerRoles: [3], serviceDate: late },
      { attending: false, volunteerRoles: [3] },
    ]
    for (const [visitor, offer] of offers.entries())
      await createRsvp(testRsvp({ name: `Visitor ${visitor}`, ...offer }), call)
    const deleted = await createRsvp(testRsvp({ name: 'Deleted', volunteerRoles: [3] }), call)
    await deleteRsvp({ id: String(deleted.id) }, call)
    const [, usher, { filled = {}, ...role } = {}] = await listVolunteerRoles(call)
    expect(JSON.stringify(usher)).toBe('{"id":2,"name":"Usher"}')
    expect(role).toEqual(music)
    const { services } = await getSchedule(call)
    expect(Object.keys(filled)).toEqual(services.map(({ date }) => date))
    expect(Object.entries(filled).filter(([, count]) => count > 0)).toEqual([
      [early, 1],
      [late, 1],
    ])
    expect(await changeVolunteerRole({ id: '3', needed: 1 }, call)).toMatchObject({ needed: 1, filled })
    expect(await changeVolunteerRole({ id: '3', needed: null }, call)).toEqual({ id: 3, name: 'Music' })
    expect((await listVolunteerRoles(call))[2]).toEqual({ id: 3, name: 'Music' })
  })

  it.each([0, 1000, 1.5, '3'])('refuses a need of %o', async (needed) => {
    const fields = [expect.objectContaining({ path: 'needed' })]
    await expect(createVolunteerRole({ name: 'Door', needed }, call)).rejects.toMatchObject({ code: 'invalid', fields })
    await expect(changeVolunteerRole({ id: '1', needed }, call)).rejects.toMatchObject({ code: 'invalid', fields })
  })

  it('does not find role 999', async () => {
    await expect(changeVolunteerRole({ id: '999', name: 'Parking' }, call)).rejects.toMatchObject({ code: 'not-found' })
    await expect(changeVolunteerRole({ id: '1' }, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('does not bring back a role whose name is offered meanwhile, also in capitals', async () => {
    await changeVolunteerRole({ id: '2', retired: true }, call)
    const { id } = await createVolunteerRole({ name: 'Usher' }, call)
    for (const name of ['Usher', 'USHER']) {
      await changeVolunteerRole({ id: String(id), name }, call)
      await expect(changeVolunteerRole({ id: '2', retired: false }, call)).rejects.toMatchObject(inUse('Usher'))
    }
    expect((await listEveryVolunteerRole(call))[1]).toEqual({ id: 2, name: 'Usher', retired: true, needed: null })
  })
})
