import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/feature/operations.ts'
import { describeOnBothDatabases, testCall, testRsvp, testStoredRsvp } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { deleteRsvp } from './delete.ts'
import { getRsvp, listRsvps } from './list.ts'
import { changeVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'

const call = testCall()

async function stored() {
  return JSON.parse(String((await listRsvps({}, call)).json))
}

describeOnBothDatabases('rsvp operations', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(volunteerSignups), tx.delete(familyMembers), tx.delete(rsvps)]))
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
  })

  it('stores a response with everything that belongs to it', async () => {
    const { id } = await createRsvp(
      testRsvp({
        phone: '555-0100',
        message: 'Line one\nline two',
        addToCalendar: true,
        calendarType: 'google',
        familyMembers: [
          { name: 'Joel Cole', age: 'child' },
          { name: 'Dina Cole', attending: false },
        ],
        volunteerRoles: [2, 3],
      }),
      call,
    )
    expect(await stored()).toEqual([
      testStoredRsvp(id, {
        phone: '555-0100',
        message: 'Line one\nline two',
        addToCalendar: true,
        calendarType: 'google',
        familyMembers: [
          { name: 'Joel Cole', age: 'child', attending: true },
          { name: 'Dina Cole', age: null, attending: false },
        ],
        volunteerSignups: [{ role: { id: 2, name: 'Usher' } }, { role: { id: 3, name: 'Music' } }],
      }),
    ])
  })

  it('counts the same role once', async () => {
    await createRsvp(testRsvp({ volunteerRoles: [1, 1] }), call)
    expect((await stored())[0].volunteerSignups).toEqual([{ role: { id: 1, name: 'Greeter' } }])
  })

  it('returns the first id for a repeated idempotency key and stores nothing', async () => {
    const sent = {
      ...testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }),
      idempotencyKey: 'same',
    }
    const first = await createRsvp(sent, call)
    const again = testCall({ now: new Date('2025-01-05T14:00:01Z') })
    expect(await createRsvp(sent, again)).toEqual(first)
    expect(await stored()).toMatchObject([
      { familyMembers: [{ name: 'Joel Cole' }], volunteerSignups: [{ role: { id: 1 } }] },
    ])
  })

  it('accepts a repeated key also when a role has been retired meanwhile', async () => {
    const sent = { ...testRsvp({ volunteerRoles: [4] }), idempotencyKey: 'retired' }
    const first = await createRsvp(sent, call)
    await changeVolunteerRole({ id: '4', retired: true }, call)
    expect(await createRsvp(sent, call)).toEqual(first)
    await changeVolunteerRole({ id: '4', retired: false }, call)
  })

  it('stores one response for twenty presses at once', async () => {
    const sent = { ...testRsvp({ familyMembers: [{ name: 'Joel Cole' }] }), idempotencyKey: 'pressed' }
    const presses = Array.from({ length: 20 }, () => createRsvp(sent, call))
    expect(new Set((await Promise.all(presses)).map(({ id }) => id)).size).toBe(1)
    expect(await stored()).toMatchObject([{ familyMembers: [{ name: 'Joel Cole' }] }])
  })

  it('leaves out what belongs to a feature that is off', async () => {
    await changeFeatures({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false }, call)
    const everything = {
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [{ name: 'Joel Cole' }],
      volunteerRoles: [1],
    }
    await createRsvp(testRsvp(everything), call)
    expect(await stored()).toMatchObject([
      { addToCalendar: false, calendarType: null, familyMembers: [], volunteerSignups: [] },
    ])
  })

  it('ignores it even where it would not fit', async () => {
    await changeFeatures({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false }, call)
    await createRsvp(testRsvp({ calendarType: 'outlook', familyMembers: [{ name: '' }], volunteerRoles: ['x'] }), call)
    expect(await stored()).toHaveLength(1)
  })

  it.each([
    [999_999, 'Choose the roles from the list.'],
    [4, "No longer offered: Children's Class. Remove and submit again."],
  ])('refuses role %i, which is unknown or retired, and stores nothing', async (role, message) => {
    await changeVolunteerRole({ id: '4', retired: true }, call)
    await expect(createRsvp(testRsvp({ volunteerRoles: [1, role] }), call)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ path: 'volunteerRoles', message }],
    })
    expect(await stored()).toEqual([])
    await changeVolunteerRole({ id: '4', retired: false }, call)
  })

  it('tells visitors no name of a role that is no longer offered', async () => {
    await changeVolunteerRole({ id: '4', retired: true }, call)
    const message = 'A role you chose is no longer offered. Load the page again to see which are, and choose again.'
    await expect(
      createRsvp(testRsvp({ volunteerRoles: [4] }), testCall({ administrator: false, actor: 'visitor' })),
    ).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'volunteerRoles', message }] })
    await changeVolunteerRole({ id: '4', retired: false }, call)
  })

  it('lists the newest first, in pages that neither overlap nor leave anything out', async () => {
    const made: number[] = []
    for (let count = 0; count < 7; count++) made.unshift((await createRsvp(testRsvp(), call)).id)
    const pages: number[][] = []
    let before: string | undefined
    do {
      const page = await listRsvps({ limit: 3, before }, call)
      pages.push(JSON.parse(String(page.json)).map((row: { id: number }) => row.id))
      before = page.next?.toString()
    } while (before !== undefined)
    expect(pages).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)])
  })

  it('shows visitors no more than id, name, status and date', async () => {
    const { id } = await createRsvp(testRsvp({ message: 'private', familyMembers: [{ name: 'Joel Cole' }] }), call)
    const { json } = await listRsvps({}, testCall({ administrator: false }))
    expect(JSON.parse(String(json))).toEqual([
      { id, name: 'Ana C.', attending: true, createdAt: '2025-01-05T14:00:00.000Z' },
    ])
  })

  it('deletes a response with its members and roles from all that is shown and counted, once', async () => {
    const none = await getStatistics({}, call)
    const { id } = await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }), call)
    const deletes = await Promise.allSettled(Array.from({ length: 10 }, () => deleteRsvp({ id: String(id) }, call)))
    expect(deletes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(deletes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not-found' } })
    expect(await stored()).toEqual([])
    expect(await listRsvps({}, testCall({ administrator: false, actor: 'open mode' }))).toMatchObject({
      json: Buffer.from('[]'),
      next: undefined,
    })
    await expect(getRsvp({ id: String(id) }, call)).rejects.toMatchObject({ code: 'not-found' })
    expect(await countRsvps({}, call)).toEqual({ attending: 0, notAttending: 0 })
    expect(await getStatistics({}, call)).toEqual(none)
  })

  it('never gives the id of a deleted response to another', async () => {
    const { id } = await createRsvp(testRsvp(), call)
    await deleteRsvp({ id: String(id) }, call)
    expect((await createRsvp(testRsvp(), call)).id).toBeGreaterThan(id)
  })

  it('counts both statuses', async () => {
    expect(await countRsvps({}, call)).toEqual({ attending: 0, notAttending: 0 })
    await createRsvp(testRsvp(), call)
    await createRsvp(testRsvp({ attending: false }), call)
    await createRsvp(testRsvp({ attending: false }), call)
    expect(await countRsvps({}, call)).toEqual({ attending: 1, notAttending: 2 })
  })

  it.each([
    '👨‍👩‍👧‍👦 Family',
    '김민수',
    'محمد علي',
    'e\u0301toile',
    "Robert'); DROP TABLE rsvps;--",
    '<script>alert(1)</script>',
    '=1+1',
  ])('gives %s back to the letter', async (name) => {
    await createRsvp(testRsvp({ name, message: name, familyMembers: [{ name }] }), call)
    expect(await stored()).toMatchObject([{ name, message: name, familyMembers: [{ name }] }])
  })
})
