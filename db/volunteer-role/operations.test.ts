import { expect, it } from 'vitest'
import { describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { changeVolunteerRole, createVolunteerRole, listVolunteerRoles } from './operations.ts'

const call = testCall()
const seeded = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']

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
  })

  it.each([{ name: '' }, { name: '\u200b' }, { name: 'x'.repeat(81) }, { name: 5 }, {}])('refuses %o', async (role) => {
    await expect(createVolunteerRole(role, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('refuses a name that is in use, in capitals too, but not the role its own', async () => {
    const inUse = { code: 'invalid', fields: [{ path: 'name', message: 'There is a role named USHER already.' }] }
    await expect(createVolunteerRole({ name: 'USHER' }, call)).rejects.toMatchObject(inUse)
    await expect(changeVolunteerRole({ id: '1', name: 'USHER' }, call)).rejects.toMatchObject(inUse)
    expect(await changeVolunteerRole({ id: '2', name: 'usher' }, call)).toEqual({ id: 2, name: 'usher' })
    await changeVolunteerRole({ id: '2', name: 'Usher' }, call)
  })

  it('does not find role 999', async () => {
    await expect(changeVolunteerRole({ id: '999', name: 'Parking' }, call)).rejects.toMatchObject({ code: 'not-found' })
    await expect(changeVolunteerRole({ id: '1' }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
