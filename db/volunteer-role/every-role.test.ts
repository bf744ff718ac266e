import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { transaction } from '#db/storage/client.ts'
import { createVolunteerRole, listEveryVolunteerRole } from './operations.ts'
import { volunteerRoles } from './table.ts'

const call = testCall()
const inUse = {
  code: 'invalid',
  fields: [{ path: 'name', message: 'There is a role named Usher already. Give this one another name.' }],
}

async function retire(id: number) {
  await changeVolunteerRole({ id: String(id), retired: true }, call)
}

describeOnBothDatabases('every volunteer role', () => {
  beforeEach(async () => {
    await transaction((tx) =>
      tx.batch([
        tx.delete(volunteerRoles),
        tx.insert(volunteerRoles).values([
          { id: 1, name: 'Greeter' },
          { id: 2, name: 'Usher' },
          { id: 3, name: 'Music' },
        ]),
      ]),
    )
  })

  it('lists those that are offered and those that were, in the order they were made', async () => {
    await retire(2)
    const { id } = await createVolunteerRole({ name: 'Parking' }, call)
    expect(await listEveryVolunteerRole(call)).toEqual([
      { id: 1, name: 'Greeter', retired: false, needed: null },
      { id: 2, name: 'Usher', retired: true, needed: null },
      { id: 3, name: 'Music', retired: false, needed: null },
      { id, name: 'Parking', retired: false, needed: null },
    ])
    expect(await listVolunteerRoles(call)).toHaveLength(3)
  })

  it.each(['Usher', 'USHER'])('does not bring back a role whose name is offered meanwhile, as %s', async (name) => {
    await retire(2)
    await createVolunteerRole({ name }, call)
    await expect(changeVolunteerRole({ id: '2', retired: false }, call)).rejects.toMatchObject(inUse)
    expect(await listEveryVolunteerRole(call)).toContainEqual({ id: 2, name: 'Usher', retired: true, needed: null })
  })

  it('brings it back under another name, at once', async () => {
    await retire(2)
    await createVolunteerRole({ name: 'Usher' }, call)
    expect(await changeVolunteerRole({ id: '2', name: 'Door', retired: false }, call)).toEqual({ id: 2, name: 'Door' })
    expect(await listEveryVolunteerRole(call)).toContainEqual({ id: 2, name: 'Door', retired: false, needed: null })
  })

  it('brings it back once the other is retired', async () => {
    await retire(2)
    await retire((await createVolunteerRole({ name: 'Usher' }, call)).id)
    expect(await changeVolunteerRole({ id: '2', retired: false }, call)).toEqual({ id: 2, name: 'Usher' })
  })

  it('offers again what is offered, and retires what is retired, without a word', async () => {
    await changeVolunteerRole({ id: '2', retired: false }, call)
    await retire(2)
    await retire(2)
    expect(await listEveryVolunteerRole(call)).toContainEqual({ id: 2, name: 'Usher', retired: true, needed: null })
  })

  it('does not let a retired role take a name that is offered', async () => {
    await retire(3)
    await expect(changeVolunteerRole({ id: '3', name: 'Usher' }, call)).rejects.toMatchObject(inUse)
  })

  it('knows no role 999 to bring back', async () => {
    await expect(changeVolunteerRole({ id: '999', retired: false }, call)).rejects.toMatchObject({ code: 'not-found' })
  })
})
