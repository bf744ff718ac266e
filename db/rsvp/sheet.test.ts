import { beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/tables/rsvp.ts'
import { callOf, openForTests, storeRows, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { deleteRsvp } from './delete.ts'
import { changeVolunteerRole } from './roles.ts'
import { getSheet, listToCall } from './sheet.ts'
import { skipService } from './skip-fixtures.ts'
import { createRsvp } from './submit.ts'

/** A Wednesday. */
const call = testCall({ now: new Date('2026-11-18T12:00:00.000Z') })
const week = '2026-11-21'

describe('getSheet', () => {
  openForTests()
  beforeAll(async () => {
    await changeSchedule({ timeZone: 'America/Chicago' }, call)
    const coming = [{ name: 'Joel Zimmer', age: 'child' }, { name: 'Al' }, { name: 'Cy', attending: false }]
    const sent = [
      { name: 'Zoe Zimmer', familyMembers: coming, volunteerRoles: [1, 4], message: 'Pray for\nCy' },
      { name: 'Ana Cole', volunteerRoles: [1, 3] },
      { name: 'Bo Away', attending: false, volunteerRoles: [1], message: 'We are ill' },
      { name: 'Eva Kim', firstVisit: true, attending: false, familyMembers: [{ name: 'Mia Kim', age: 'teen' }] },
      { name: 'Later Kim', serviceDate: '2026-11-28', volunteerRoles: [1], message: 'Not this week' },
    ]
    for (const rsvp of sent) await createRsvp(testRsvp(rsvp), call)
    const { id } = await createRsvp(testRsvp({ name: 'Gone Cole', volunteerRoles: [1] }), call)
    await deleteRsvp({ id: String(id) }, call)
    await changeVolunteerRole({ id: '4', retired: true }, call)
    await changeVolunteerRole({ id: '5', retired: true }, call)
    await transaction((tx) => tx.update(volunteerRoles).set({ needed: 3 }))
    await changeVolunteerRole({ id: '1', needed: 1 }, call)
  })

  it('names the households of which people are expected, by family name, and counts as many', async () => {
    const { households, people, counted } = await getSheet({ week }, call)
    const family = [
      { name: 'Zoe Zimmer', age: 'adult' },
      { name: 'Joel Zimmer', age: 'child' },
      { name: 'Al', age: null },
    ]
    expect(households).toMatchObject([
      { familyName: 'Cole', name: 'Ana Cole', firstVisit: false, people: [{ name: 'Ana Cole', age: 'adult' }] },
      { familyName: 'Kim', name: 'Eva Kim', firstVisit: true, people: [{ name: 'Mia Kim', age: 'teen' }] },
      { familyName: 'Zimmer', name: 'Zoe Zimmer', people: family },
    ])
    expect(people).toEqual({ expected: 5, ofAbsent: 1, adults: 2, teens: 1, children: 1, notSaid: 1 })
    expect(counted).toEqual({ attending: 2, notAttending: 2 })
  })

  it('says who fills which role, and how many are missing', async () => {
    const { roles } = await getSheet({ week }, call)
    expect(roles.map(({ name, retired, people, needed, missing }) => [name, retired, people, needed, missing])).toEqual(
      [
        ['Greeter', false, ['Ana Cole', 'Zoe Zimmer'], 1, 0],
        ['Usher', false, [], 3, 3],
        ['Music', false, ['Ana Cole'], 3, 2],
        ["Children's Class", true, ['Zoe Zimmer'], 3, 2],
        ['Fellowship Meal', false, [], 3, 3],
      ],
    )
  })

  it('keeps apart what people wrote, also those who cannot come', async () => {
    const { messages } = await getSheet({ week }, call)
    expect(messages).toEqual([
      { id: 3, name: 'Bo Away', attending: false, message: 'We are ill' },
      { id: 1, name: 'Zoe Zimmer', attending: true, message: 'Pray for\nCy' },
    ])
  })

  it('says when the service is, and whether it is skipped', async () => {
    expect((await getSheet({ week }, call)).service).toEqual({
      date: week,
      startsAt: '2026-11-21T16:00:00.000Z',
      endsAt: '2026-11-21T18:00:00.000Z',
      closesAt: '2026-11-21T18:00:00.000Z',
      timeZone: 'America/Chicago',
      skipped: false,
    })
    await skipService({ date: '2026-12-05' }, call)
    expect(await getSheet({ week: '2026-12-05' }, call)).toMatchObject({
      service: { skipped: true },
      people: { expected: 0 },
      households: [],
      messages: [],
    })
  })

  it.each([false, true])(
    'gives a reader contact data and messages only if that is ticked: %s',
    async (seesContacts) => {
      const reader = callOf(1, { ...call, role: 'reader' }, { seesContacts })
      const { households, messages } = await getSheet({ week }, reader)
      expect(households).toHaveLength(3)
      expect(households[0]?.contact).toEqual(seesContacts ? { email: 'ana@cole.example', phone: null } : undefined)
      expect(messages).toHaveLength(seesContacts ? 2 : 0)
      const called = listToCall({ week }, reader)
      if (seesContacts) expect(await called).toHaveLength(3)
      else await expect(called).rejects.toMatchObject({ code: 'unauthenticated' })
    },
  )

  it('is refused for more responses than a page can hold', async () => {
    const many = { week: '2027-01-09' }
    const rows = Array.from({ length: 5000 }, (_, id) => ({ email: `${id}@cole.example`, serviceDate: many.week }))
    while (rows.length > 0) await storeRows(rows.splice(0, 500))
    expect((await getSheet(many, call)).households).toHaveLength(5000)
    await storeRows([{ serviceDate: many.week }])
    await expect(getSheet(many, call)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('5,000 responses'),
    })
  })

  it('is for an administrator, and for a day', async () => {
    for (const read of [getSheet, listToCall]) {
      const asked = read({ week }, { ...call, role: 'visitor' })
      await expect(asked).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    await expect(getSheet({ week: 'this' }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
