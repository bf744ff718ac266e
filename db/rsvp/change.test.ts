import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { transaction } from '#db/storage/client.ts'
import { deleteRsvp } from './delete.ts'
import { addRsvp, changeRsvp } from './entry.ts'
import { getRsvp } from './list.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { changeVolunteerRole } from './roles.ts'

const call = testCall({ actor: 'session 7' })
const later = testCall({ actor: 'session 7', now: new Date('2025-01-05T15:00:00Z') })
let id = ''
const stored = () => getRsvp({ id }, call)

describeOnBothDatabases('changeRsvp', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
    const family = { familyMembers: [{ name: 'Joel Cole', age: 'child' as const }], volunteerRoles: [1, 2] }
    id = String((await addRsvp({ name: 'Ana Cole', phone: '555 0101', attending: true, ...family }, call)).id)
    await transaction((tx) => tx.delete(auditEntries))
  })

  it('changes what is sent, keeps the rest, and the audit has its number', async () => {
    const before = await stored()
    await changeRsvp({ id, name: 'Ana Roe', familyMembers: [{ name: 'Dina Roe' }], volunteerRoles: [3] }, later)
    expect(await stored()).toEqual({
      ...before,
      ...{ name: 'Ana Roe', changedAt: '2025-01-05T15:00:00.000Z' },
      familyMembers: [{ name: 'Dina Roe', age: null, attending: true }],
      volunteerSignups: [{ role: { id: 3, name: 'Music' } }],
    })
    expect(await auditLines()).toEqual([`session 7: response changed ${id}`])
  })

  it('takes away what is empty', async () => {
    await changeRsvp({ id, phone: '', familyMembers: [], volunteerRoles: [] }, later)
    expect(await stored()).toMatchObject({ phone: null, familyMembers: [], volunteerSignups: [] })
  })

  it('does nothing where it says so already', async () => {
    await changeRsvp({ id, name: 'Ana Cole' }, later)
    expect(await stored()).toMatchObject({ changedAt: null })
    expect(await auditLines()).toEqual([])
  })

  it('changes only the revision that was shown', async () => {
    await changeRsvp({ id, name: 'Ana Roe', onlyIfRevision: [0] }, later)
    // The same once more: the reply to the first may be lost.
    await changeRsvp({ id, name: 'Ana Roe', onlyIfRevision: [0] }, later)
    await expect(changeRsvp({ id, name: 'Ana Fox', onlyIfRevision: [0] }, later)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    })
    await changeRsvp({ id, name: 'Ana Fox', onlyIfRevision: [later.now.getTime()] }, later)
    expect(await stored()).toMatchObject({ name: 'Ana Fox' })
  })

  it('takes a change back as if it had never been made, and no moment that is not before it', async () => {
    const before = await stored()
    await changeRsvp({ id, name: 'Ana Roe' }, later)
    for (const changedAt of [later.now.toISOString(), '2099-01-01T00:00:00.000Z', 'yesterday'])
      await expect(changeRsvp({ id, name: 'Ana Cole', changedAt }, later)).rejects.toMatchObject({ code: 'invalid' })
    await changeRsvp({ id, name: 'Ana Cole', changedAt: null, onlyIfRevision: [later.now.getTime()] }, later)
    await changeRsvp({ id, name: 'Ana Cole', changedAt: null }, later)
    expect(await stored()).toEqual(before)
  })

  it('changes any revision beside what others change at the same moment, whoever is first', async () => {
    const changes = [{ name: 'Ana Roe' }, { phone: '555 0199' }, { message: 'Later' }, { familyMembers: [] }]
    await Promise.all(changes.map((change) => changeRsvp({ id, ...change }, later)))
    expect(await stored()).toMatchObject(Object.assign({}, ...changes))
    expect(await auditLines()).toHaveLength(4)
  })

  it('keeps a role that is retired by now, and adds none', async () => {
    await changeVolunteerRole({ id: '2', retired: true }, call)
    await changeVolunteerRole({ id: '4', retired: true }, call)
    await changeRsvp({ id, message: 'Later' }, later)
    expect((await stored()).volunteerSignups).toHaveLength(2)
    await expect(changeRsvp({ id, volunteerRoles: [4] }, later)).rejects.toMatchObject({ code: 'invalid' })
    await changeVolunteerRole({ id: '2', retired: false }, call)
    await changeVolunteerRole({ id: '4', retired: false }, call)
  })

  it.each([
    ['name', { name: '' }],
    ['email', { email: 'ana@' }],
    ['serviceDate', { serviceDate: '2025-01-12' }],
  ])('refuses a wrong %s', async (path, wrong) => {
    await expect(changeRsvp({ id, ...wrong }, later)).rejects.toMatchObject({
      code: 'invalid',
      fields: [expect.objectContaining({ path })],
    })
    expect(await stored()).toMatchObject({ changedAt: null })
  })

  it('finds none that is deleted', async () => {
    await deleteRsvp({ id }, call)
    await expect(changeRsvp({ id, name: 'Ana Roe' }, later)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('does not change what is anonymous', async () => {
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: new Date('2025-03-01T00:00:00Z') }))
    await expect(changeRsvp({ id, name: 'Ana Roe' }, later)).rejects.toMatchObject({ code: 'not-found' })
    expect(await stored()).toMatchObject({ name: 'Anonymous' })
  })
})
