import { beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { changeEvent } from '#db/event.ts'
import { changeFeatures } from '#db/features.ts'
import { changeSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { rsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import type { Schedule, Service } from '#db/values/schedule.ts'
import type { PublicNames } from '#db/values/settings.ts'
import {
  describeOnBothDatabases,
  emptyTables,
  openForTests,
  testCall,
  testEvent,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { listRsvps, responsesOf } from './list.ts'
import { changeVolunteerRole } from './roles.ts'
import { createRsvp, serviceNotOffered, submitRsvp } from './submit.ts'

const call = testCall()
const household = {
  familyMembers: [{ name: 'Joel Cole' }, { name: 'Mia Cole', age: 'child', attending: false }],
  volunteerRoles: [2, 1],
}
const visitor = (allowance = { atOnce: 60, everyMs: 2000 }, network = '203.0.113.7') =>
  testCall({ role: 'visitor', actor: 'visitor', network, allowance })

const stored = async () => responsesOf(await listRsvps({}, call))
const marks = async () => (await stored()).map(({ suspicion }) => suspicion)

async function outcomesOf(sent: Promise<{ id: number }>[]): Promise<string[]> {
  return (await Promise.allSettled(sent)).map((each) => (each.status === 'fulfilled' ? 'stored' : each.reason.code))
}

describeOnBothDatabases('RSVPs that come together', () => {
  beforeEach(() => emptyTables(rsvps, allowances))

  it('are stored whole, each with its own', async () => {
    const sent = Array.from({ length: 40 }, (_, place) => {
      const own = place % 2 === 0 ? household : { familyMembers: [], volunteerRoles: [] }
      return { name: `Ana Cole ${place}`, message: `№ ${place} "'`, ...own }
    })
    const made = await Promise.all(sent.map((rsvp) => createRsvp(testRsvp(rsvp), visitor())))
    const rows = await stored()
    for (const [place, { name, message, familyMembers, volunteerRoles: roles }] of sent.entries())
      expect(rows.find(({ id }) => id === made[place]?.id)).toMatchObject({
        name,
        message,
        phone: null,
        suspicion: null,
        familyMembers: familyMembers.map((member) => ({ age: null, attending: true, ...member })),
        volunteerSignups: roles.toSorted().map((id) => ({ role: { id } })),
      })
  })

  it('get no more of an allowance than there is, whatever they are and whoever else sends', async () => {
    // Half of one more: whoever asks twice does so some milliseconds later, and would otherwise leave too little to others.
    const small = { atOnce: 3.5, everyMs: 60_000 }
    const home = Array.from({ length: 6 }, () => createRsvp(testRsvp(), visitor(small)))
    const invalid = createRsvp(testRsvp({ name: '' }), visitor(small, '198.51.100.1'))
    const others = Array.from({ length: 3 }, (_, place) => createRsvp(testRsvp(), visitor(small, `192.0.${place}.1`)))
    const outcomes = await outcomesOf([...home, invalid, ...others])
    expect(outcomes.slice(0, 6).toSorted()).toEqual([...Array(3).fill('stored'), ...Array(3).fill('too-many')])
    expect(outcomes.slice(6)).toEqual(['invalid', 'stored', 'stored', 'stored'])
    expect(await stored()).toHaveLength(6)
    // Those that had to ask twice asked some milliseconds later.
    const used = (await db.select().from(allowances)).map(({ name, fullAt }) => {
      const everyMs = name === 'rsvp from everywhere' ? 6000 : 60_000
      return [name, Math.floor((fullAt - call.now.getTime()) / everyMs)]
    })
    expect(Object.fromEntries(used)).toMatchObject({
      'rsvp 203.0.113.7': 3,
      'rsvp 198.51.100.1': 1,
      'rsvp 192.0.2.1': 1,
      'rsvp from everywhere': 7,
    })
  })

  it('are one where they have the same key and body, and refused where only the key is the same', async () => {
    const names = ['Ana Cole', 'Bea Cole', ...Array(10).fill('Ana Cole')]
    const sent = names.map((name) => ({ ...testRsvp({ name, ...household }), idempotencyKey: 'same' }))
    const outcomes = await outcomesOf(sent.map((rsvp) => createRsvp(rsvp, visitor())))
    const [first, ...others] = await stored()
    expect(outcomes).toEqual(names.map((name) => (name === first?.name ? 'stored' : 'key-reused')))
    expect([first?.familyMembers.length, others]).toEqual([2, []])
  })
})

describe('createRsvp', () => {
  openForTests()
  beforeEach(async () => {
    await transaction((tx) =>
      tx.batch([tx.delete(rsvps), tx.delete(allowances), tx.update(volunteerRoles).set({ retired: false })]),
    )
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
  })

  it('stores those that came first first, and marks a flood from the first that is too much', async () => {
    const small = { atOnce: 1, everyMs: 60_000 }
    const calls = Array.from({ length: 32 }, (_, place) => visitor(small, `192.1.${place}.1`))
    const made = await Promise.all(calls.map((each) => createRsvp(testRsvp(household), each)))
    expect(made).toEqual(made.toSorted((one, other) => one.id - other.id))
    // The newest first: those that came first were none too many.
    expect(await marks()).toEqual([...Array(22).fill('flood'), ...Array(10).fill(null)])
    // Those that are marked take nothing, or the flood would outlast itself.
    const rows = await db.select().from(allowances)
    const everywhere = rows.find(({ name }) => name === 'rsvp from everywhere')
    expect(everywhere?.fullAt).toBeLessThanOrEqual(call.now.getTime() + 60_000)
  })

  it('counts against the allowance also what does not fit, but not what was stored before', async () => {
    const small = { atOnce: 3, everyMs: 2000 }
    const known = { ...testRsvp(), idempotencyKey: 'once' }
    const later = { ...visitor(small), now: new Date(call.now.getTime() + 1) }
    const send = (sent: Record<string, unknown>, at = visitor(small)) => outcomesOf([createRsvp(sent, at)])
    expect(await send(known)).toEqual(['stored'])
    expect(await send(known)).toEqual(['stored'])
    expect(await send(testRsvp({ email: 'none' }))).toEqual(['invalid'])
    expect(await send(testRsvp({ volunteerRoles: [999_999] }))).toEqual(['invalid'])
    expect(await send(testRsvp(), later)).toEqual(['too-many'])
    expect(await send(known, later)).toEqual(['stored'])
    expect(await stored()).toHaveLength(1)
  })

  it.each([null, [], 'x'])('refuses %j, also while features are off', async (sent) => {
    await changeFeatures({ familyRsvp: false }, call)
    const fields = [{ path: '', message: 'Send a JSON object.' }]
    await expect(createRsvp(sent as never, call)).rejects.toMatchObject({ code: 'invalid', fields })
  })

  it.each<[PublicNames, Partial<Call>, boolean]>([
    ['full', {}, true],
    ['initial', {}, true],
    ['counts', {}, false],
    ['none', {}, false],
    ['none', { role: 'owner' }, true],
  ])('tells its id where visitors see names as %j, or to %o: %j', async (names, caller, told) => {
    await changeSettings({ publicNames: names }, call)
    const sent = await submitRsvp(testRsvp(), { ...visitor(), ...caller })
    expect([sent.id !== undefined, sent.linkSecret]).toEqual([told, expect.any(String)])
    await changeSettings({ publicNames: 'initial' }, call)
  })

  it('leaves out what belongs to a feature that is off, even where it would not fit', async () => {
    await changeFeatures({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false }, call)
    const all = { addToCalendar: true, calendarType: 'ical', familyMembers: [{ name: '' }], volunteerRoles: ['x'] }
    await createRsvp(testRsvp(all), call)
    expect(await stored()).toMatchObject([
      { addToCalendar: false, calendarType: null, familyMembers: [], volunteerSignups: [] },
    ])
  })

  it('leaves out a calendar that cannot be offered: the schedule is a guess, and the event says something else', async () => {
    const chosen = testRsvp({ addToCalendar: true, calendarType: 'google' })
    await changeEvent(testEvent({ time: '9:30 AM' }), call)
    await createRsvp(chosen, call)
    await changeEvent(testEvent(), call)
    await createRsvp(chosen, call)
    expect(await stored()).toMatchObject([
      { addToCalendar: true, calendarType: 'google' },
      { addToCalendar: false, calendarType: null },
    ])
  })

  const noLonger = 'A role you chose is no longer offered. Load the page again to see which are, and choose again.'
  it.each([
    ['unknown', 999_999, 'Choose the roles from the list.'],
    ['retired', 4, noLonger],
  ] as const)('refuses a role that is %s, and stores nothing', async (_, role, message) => {
    await changeVolunteerRole({ id: '4', retired: true }, call)
    await expect(createRsvp(testRsvp({ volunteerRoles: [1, role] }), call)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ path: 'volunteerRoles', message }],
    })
    expect(await stored()).toEqual([])
  })

  it.each([
    [{ website: '', formAge: 2000 }, visitor(), null],
    [{ website: 'https://spam.example', formAge: 2000 }, visitor(), 'hidden-field'],
    [{ formAge: 1999 }, visitor(), 'too-fast'],
    [{ website: 'x', formAge: 1999 }, visitor(), 'hidden-field'],
    [{ website: 'https://spam.example', formAge: 0 }, testCall({ role: 'visitor', actor: 'open mode' }), null],
    [{ website: 7 }, visitor(), null],
  ])('stores %j of %o with the mark %s, and never refuses it', async (sent, sender, suspicion) => {
    await createRsvp(testRsvp(sent), sender)
    expect(await stored()).toMatchObject([{ name: 'Ana Cole', suspicion }])
  })
})

describe('serviceNotOffered', () => {
  const schedule = { weekday: 6, skippedDates: ['2025-01-18'] } as Schedule
  const offered = [{ date: '2025-01-11' }] as Service[]
  const next = 'The next service is on Saturday, January 11.'
  it.each([
    ['2025-01-25', `You cannot respond for Saturday, January 25 at this time. ${next}`],
    ['2025-01-18', `There is no service on Saturday, January 18. ${next}`],
    ['2025-01-12', `There is no service on Sunday, January 12. ${next}`],
  ])('says why on %s', (date, message) => {
    const refused = { code: 'invalid', message, fields: [{ path: 'serviceDate', message }] }
    expect(serviceNotOffered(date, schedule, offered)).toMatchObject(refused)
    expect(serviceNotOffered('2025-01-11', schedule, offered)).toBeUndefined()
  })
})
