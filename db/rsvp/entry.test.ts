import { beforeEach, describe, expect, it } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { schedules, skippedDates } from '#db/tables/invitation.ts'
import { privateLinks, rsvps, standingRsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, invalidAt, openForTests, testCall } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { deleteRsvp, eraseRsvps } from './delete.ts'
import { addRsvp, changeRsvp } from './entry.ts'
import { getRsvp, listRsvps, responsesOf } from './list.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { changeVolunteerRole } from './roles.ts'
import { changeStanding, listStanding } from './standing.ts'

// A Sunday; services are on Saturdays.
const call = testCall({ actor: 'session 7', now: new Date('2025-01-05T14:00:00Z') })
const later = { ...call, now: new Date('2025-01-05T15:00:00Z') }
const nextYear = { ...call, now: new Date('2026-01-05T14:00:00Z') }
const family = {
  name: 'Ana Cole',
  attending: true,
  familyMembers: [{ name: 'Joel Cole', age: 'child' as const }, { name: 'Dina Cole' }],
  volunteerRoles: [2, 1],
}
const stored = async () => responsesOf(await listRsvps({}, call))
const retire = (id: number) => changeVolunteerRole({ id: String(id), retired: true }, call)

openForTests()
beforeEach(async () => {
  await transaction((tx) =>
    tx.batch([
      tx.delete(rsvps),
      tx.delete(standingRsvps),
      tx.delete(auditEntries),
      tx.delete(schedules),
      tx.delete(skippedDates),
      tx.update(volunteerRoles).set({ retired: false }),
    ]),
  )
})

describe('addRsvp', () => {
  it('stores what was said on the telephone, for the service of this week, and the audit has its number', async () => {
    const { id } = await addRsvp({ ...family, phone: '555 0101', message: 'By telephone' }, call)
    expect(await stored()).toMatchObject([
      {
        id,
        name: 'Ana Cole',
        email: '',
        phone: '555 0101',
        message: 'By telephone',
        attending: true,
        createdAt: '2025-01-05T14:00:00.000Z',
        serviceDate: '2025-01-11',
        suspicion: null,
        deletedAt: null,
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
    expect(await stored()).toMatchObject([{ familyMembers: [{}, {}], volunteerSignups: [{}, {}] }])
    await changeFeatures({ familyRsvp: true, volunteerSignup: true }, call)
  })

  it.each([
    ['2025-03-01', 'the eighth service from now on'],
    ['2024-01-06', 'a service a year ago'],
  ])('takes %s, %s', async (serviceDate) => {
    await addRsvp({ ...family, serviceDate }, call)
    expect(await stored()).toMatchObject([{ serviceDate }])
  })

  it.each(['2025-03-15', '2023-12-30', '2025-01-12', '2025-01-18'])('refuses %s', async (serviceDate) => {
    await changeSchedule({ skippedDates: ['2025-01-18'] }, call)
    await expect(addRsvp({ ...family, serviceDate }, call)).rejects.toMatchObject(invalidAt('serviceDate'))
    expect(await stored()).toEqual([])
  })

  it('is for the service of this week also once visitors cannot send any for it', async () => {
    await changeSchedule({ closesMinutesBefore: 7 * 24 * 60 }, call)
    await addRsvp(family, call)
    expect(await stored()).toMatchObject([{ serviceDate: '2025-01-11' }])
  })

  it.each([
    ['email', { email: 'ana@' }],
    ['attending', { attending: undefined }],
    ['volunteerRoles', { volunteerRoles: [999_999] }],
    ['familyMembers.0.name', { familyMembers: [{ name: '' }] }],
    // Nothing would take the names of the family away.
    ['name', { name: 'Anonymous' }],
  ])('refuses a wrong %s as that of a visitor', async (path, wrong) => {
    await expect(addRsvp({ ...family, ...wrong }, call)).rejects.toMatchObject(invalidAt(path))
    expect([await stored(), await auditLines()]).toEqual([[], []])
  })

  it('stores one that is sent twice once, also when a role was retired in between, and none that was erased', async () => {
    const sent = { ...family, email: 'ana@cole.example', idempotencyKey: 'same' }
    const first = await addRsvp(sent, call)
    await retire(2)
    expect(await addRsvp(sent, later)).toEqual(first)
    await expect(addRsvp({ ...sent, name: 'Ben Cole' }, call)).rejects.toMatchObject({ code: 'key-reused' })
    expect(await stored()).toMatchObject([{ name: 'Ana Cole' }])
    await eraseRsvps({ email: 'ana@cole.example' }, call)
    await expect(addRsvp(sent, call)).rejects.toMatchObject({ code: 'deleted' })
  })

  it('begins what a household says for every week, once, without a link', async () => {
    const sent = { ...family, phone: '555 0101', serviceDate: '2025-01-18', standing: true, idempotencyKey: 'weekly' }
    const first = await addRsvp(sent, call)
    expect(await addRsvp(sent, later)).toEqual(first)
    expect(await stored()).toHaveLength(7)
    expect((await stored()).at(-1)).toMatchObject({ id: first.id, standing: true, serviceDate: '2025-01-18' })
    const households = await listStanding()
    expect(households).toMatchObject([{ name: 'Ana Cole', email: '', phone: '555 0101', since: '2025-01-18' }])
    expect(await db.$count(privateLinks)).toBe(0)
    await changeStanding({ id: String(households[0]?.id), comes: false }, call)
    expect([await listStanding(), await stored()]).toEqual([[], []])
  })

  it('is for one week if the household does not come, and not for every week from a past one on', async () => {
    expect(await addRsvp({ name: 'Ben Roe', attending: false, standing: true }, call)).toEqual({
      id: expect.any(Number),
    })
    const past = { ...family, serviceDate: '2025-01-04' }
    await expect(addRsvp({ ...past, standing: true }, call)).rejects.toMatchObject(invalidAt('serviceDate'))
    expect(await addRsvp({ ...past, standing: false }, call)).toEqual({ id: expect.any(Number) })
    expect(await listStanding()).toEqual([])
  })
})

describe('changeRsvp', () => {
  let id = ''
  const read = () => getRsvp({ id })
  beforeEach(async () => {
    id = String((await addRsvp({ ...family, phone: '555 0101', calendarType: 'ical' }, call)).id)
    await emptyTables(auditEntries)
  })

  it('changes what is sent, keeps the rest, and the audit has its number and the fields', async () => {
    const before = await read()
    const family = { familyMembers: [{ name: 'Dina Roe' }], volunteerRoles: [3] }
    await changeRsvp({ id, name: 'Ana Roe', phone: '', ...family }, later)
    expect(await read()).toEqual({
      ...before,
      name: 'Ana Roe',
      phone: null,
      changedAt: '2025-01-05T15:00:00.000Z',
      familyMembers: [{ name: 'Dina Roe', age: null, attending: true }],
      volunteerSignups: [{ role: { id: 3, name: 'Music' } }],
    })
    expect(await auditLines()).toEqual([
      `session 7: response changed ${id}: name, phone, familyMembers, volunteerRoles`,
    ])
  })

  it('does nothing where it says so already', async () => {
    await changeRsvp({ id, name: 'Ana Cole' }, later)
    expect([await read(), await auditLines()]).toMatchObject([{ changedAt: null }, []])
  })

  it('changes only the revision that was shown, and the same once more: the first reply may be lost', async () => {
    for (const _ of [1, 2]) await changeRsvp({ id, name: 'Ana Roe', onlyIfRevision: [0] }, later)
    const stale = changeRsvp({ id, name: 'Ana Fox', onlyIfRevision: [0] }, later)
    await expect(stale).rejects.toMatchObject({ code: 'changed-meanwhile' })
    await changeRsvp({ id, name: 'Ana Fox', onlyIfRevision: [later.now.getTime()] }, later)
    expect(await read()).toMatchObject({ name: 'Ana Fox' })
  })

  it('keeps a role that is retired by now, and adds none', async () => {
    for (const role of [2, 4]) await retire(role)
    await changeRsvp({ id, message: 'Later' }, later)
    expect((await read()).volunteerSignups).toHaveLength(2)
    await expect(changeRsvp({ id, volunteerRoles: [4] }, later)).rejects.toMatchObject(invalidAt('volunteerRoles'))
  })

  it.each([
    ['name', { name: '' }],
    ['email', { email: 'ana@' }],
    ['serviceDate', { serviceDate: '2025-01-12' }],
  ])('refuses a wrong %s', async (path, wrong) => {
    await expect(changeRsvp({ id, ...wrong }, later)).rejects.toMatchObject(invalidAt(path))
    expect(await read()).toMatchObject({ changedAt: null })
  })

  it('changes none that is anonymous or deleted', async () => {
    const change = () => changeRsvp({ id, name: 'Ana Roe' }, later)
    await anonymizeOldRsvps({ days: 1 }, nextYear)
    await expect(change()).rejects.toMatchObject({ code: 'not-found' })
    expect(await read()).toMatchObject({ name: 'Anonymous' })
    await deleteRsvp({ id }, call)
    await expect(change()).rejects.toMatchObject({ code: 'not-found' })
  })
})
