import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { changeFeatures } from '#db/feature/operations.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { schedules } from '#db/schedule/table.ts'
import { transaction } from '#db/storage/client.ts'
import { eraseRsvps } from './delete.ts'
import { addRsvp } from './entry.ts'
import { listRsvps, responsesOf } from './list.ts'
import { anonymizeOldRsvps, countOldRsvps } from './purge.ts'

// A Sunday; services are on Saturdays.
const call = testCall({ actor: 'session 7', now: new Date('2025-01-05T14:00:00Z') })
const family = {
  name: 'Ana Cole',
  attending: true,
  familyMembers: [{ name: 'Joel Cole', age: 'child' }, { name: 'Dina Cole' }],
  volunteerRoles: [2, 1],
}
const invalid = (path: string) => ({ code: 'invalid', fields: [expect.objectContaining({ path })] })

async function stored() {
  return responsesOf(await listRsvps({}, call))
}

describeOnBothDatabases('addRsvp', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries), tx.delete(schedules)]))
  })

  it('stores what was said on the telephone, for the service of this week, and the audit has its number', async () => {
    const { id } = await addRsvp({ ...family, phone: '555 0101', message: 'By telephone' }, call)
    expect(await stored()).toMatchObject([
      {
        ...{ id, name: 'Ana Cole', email: '', phone: '555 0101', message: 'By telephone', attending: true },
        ...{ createdAt: '2025-01-05T14:00:00.000Z', serviceDate: '2025-01-11', suspicion: null, deletedAt: null },
        familyMembers: [
          { name: 'Joel Cole', age: 'child', attending: true },
          { name: 'Dina Cole', age: null, attending: true },
        ],
        volunteerSignups: [{ role: { id: 1 } }, { role: { id: 2 } }],
      },
    ])
    expect(await auditLines()).toEqual([`session 7: response added ${id}`])
  })

  it('keeps what belongs to a feature that visitors are not offered', async () => {
    await changeFeatures({ familyRsvp: false, volunteerSignup: false }, call)
    await addRsvp(family, call)
    expect((await stored())[0]?.familyMembers).toHaveLength(2)
    await changeFeatures({ familyRsvp: true, volunteerSignup: true }, call)
  })

  it.each([
    ['2025-03-01', 'the eighth service from now on'],
    ['2024-01-06', 'a service a year ago'],
    ['2025-01-04', 'the service of yesterday'],
  ])('takes %s, %s', async (serviceDate) => {
    await addRsvp({ ...family, serviceDate }, call)
    expect(await stored()).toMatchObject([{ serviceDate }])
  })

  it.each(['2025-03-15', '2023-12-30', '2025-01-12', '2025-01-18'])('refuses %s', async (serviceDate) => {
    await changeSchedule({ skippedDates: ['2025-01-18'] }, call)
    await expect(addRsvp({ ...family, serviceDate }, call)).rejects.toMatchObject(invalid('serviceDate'))
    expect(await stored()).toEqual([])
  })

  it.each([
    ['2025-01-04', 'the service of yesterday'],
    ['2024-12-28', 'the one before it'],
  ])('takes %s, %s, also where services are on Sundays from today on', async (serviceDate) => {
    await changeSchedule({ weekday: 6 }, call)
    await changeSchedule({ weekday: 0 }, call)
    await addRsvp({ ...family, serviceDate }, call)
    expect(await stored()).toMatchObject([{ serviceDate }])
    for (const refused of ['2024-12-29', '2025-01-11'])
      await expect(addRsvp({ ...family, serviceDate: refused }, call)).rejects.toMatchObject(invalid('serviceDate'))
  })

  it('is for the service of this week also once visitors cannot send any for it', async () => {
    await changeSchedule({ closesMinutesBefore: 7 * 24 * 60 }, call)
    await addRsvp(family, call)
    expect(await stored()).toMatchObject([{ serviceDate: '2025-01-11' }])
  })

  it.each([
    ['email', { email: 'ana@' }],
    ['name', { name: 'A' }],
    ['attending', { attending: undefined }],
    ['volunteerRoles', { volunteerRoles: [999_999] }],
    ['familyMembers.0.name', { familyMembers: [{ name: '' }] }],
    ['name', { name: 'Anonymous' }],
  ])('refuses a wrong %s as that of a visitor', async (path, wrong) => {
    await expect(addRsvp({ ...family, ...wrong }, call)).rejects.toMatchObject(invalid(path))
    expect(await stored()).toEqual([])
    expect(await auditLines()).toEqual([])
  })

  it('stores one that is sent twice once, also when a role was retired in between', async () => {
    const sent = { ...family, idempotencyKey: 'same' }
    const first = await addRsvp(sent, call)
    await changeVolunteerRole({ id: '2', retired: true }, call)
    expect(await addRsvp(sent, testCall({ now: new Date('2025-01-05T14:00:01Z') }))).toEqual(first)
    await changeVolunteerRole({ id: '2', retired: false }, call)
    expect(await stored()).toHaveLength(1)
    await expect(addRsvp({ ...sent, name: 'Ben Cole' }, call)).rejects.toMatchObject({ code: 'key-reused' })
    expect((await stored())[0]?.familyMembers).toHaveLength(2)
  })

  it('stores none that was erased since', async () => {
    const sent = { ...family, email: 'ana@cole.example', idempotencyKey: 'erased' }
    await addRsvp(sent, call)
    await eraseRsvps({ email: 'ana@cole.example' }, call)
    await expect(addRsvp(sent, call)).rejects.toMatchObject({ code: 'deleted' })
  })

  it('is made anonymous in its time, though it has no address, and once', async () => {
    await addRsvp(family, call)
    const later = testCall({ now: new Date('2026-01-05T14:00:00Z') })
    expect(await countOldRsvps({ days: 90 }, later)).toBe(1)
    await anonymizeOldRsvps({ days: 90 }, later)
    expect(await stored()).toMatchObject([
      { name: 'Anonymous', familyMembers: [{ name: 'Anonymous', age: 'child' }, { name: 'Anonymous' }] },
    ])
    expect(await countOldRsvps({ days: 90 }, later)).toBe(0)
  })
})
