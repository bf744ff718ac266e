import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, everyRow, testCall, testRsvp, testStoredRsvp } from '#db/fixtures.ts'
import { deleteRsvp } from '#db/rsvp/delete.ts'
import { getRsvp, listRsvps } from '#db/rsvp/list.ts'
import { anonymizeOldRsvps, countOldRsvps } from '#db/rsvp/purge.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { createSampleRsvps, deleteSampleRsvps, hasRealRsvps } from './sample.ts'

const DAY = 24 * 3600 * 1000
const call = testCall({ actor: 'site' })

async function addRsvp(changes: Record<string, unknown>, daysAgo: number, ms = 0): Promise<number> {
  const now = new Date(call.now.getTime() - daysAgo * DAY + ms)
  const idempotencyKey = `${changes.name} ${Math.random()}`
  return (await createRsvp({ ...testRsvp(changes), idempotencyKey }, testCall({ now }))).id
}

const canaries = {
  name: 'Canary Cole',
  email: 'canary@cole.example',
  phone: 'canary phone',
  message: 'canary message',
  addToCalendar: true,
  calendarType: 'ical',
  familyMembers: [
    { name: 'Canary Child', age: 'child' },
    { name: 'Canary Teen', age: 'teen', attending: false },
  ],
  volunteerRoles: [1, 2],
}

describeOnBothDatabases('anonymizeOldRsvps', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries)]))
  })

  it('leaves nothing personal in any table, and all that is counted', async () => {
    const id = await addRsvp(canaries, 91)
    await addRsvp({ ...canaries, attending: false, familyMembers: [] }, 91)
    await deleteRsvp({ id: String(await addRsvp(canaries, 91)) }, testCall())
    await addRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [2] }, 1)
    await transaction((tx) => tx.delete(auditEntries))
    const counted = async () => [await countRsvps({}, call), await getStatistics({}, call)]
    const before = await counted()
    expect(await everyRow()).toMatch(/canary/i)
    expect(await countOldRsvps({ days: 90 }, call)).toBe(3)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(3)
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await counted()).toEqual(before)
    expect(await countRsvps({ status: 'not-attending' }, call)).toEqual({ attending: 0, notAttending: 1 })
    expect(await getRsvp({ id: String(id) }, call)).toEqual(
      testStoredRsvp(id, {
        name: 'Anonymous',
        email: '',
        phone: null,
        message: null,
        addToCalendar: true,
        calendarType: 'ical',
        createdAt: '2024-10-06T14:00:00.000Z',
        serviceDate: '2024-10-12',
        familyMembers: [
          { name: 'Anonymous', age: 'child', attending: true },
          { name: 'Anonymous', age: 'teen', attending: false },
        ],
        volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }, { role: { id: 2, name: 'Usher' } }],
      }),
    )
    expect(await auditLines()).toEqual(['site: responses made anonymous 3'])
  })

  it('counts a family once also where only its newest response is old enough, and later the other', async () => {
    const newest = await addRsvp({ name: 'Ana Cole' }, 91)
    await addRsvp({ name: 'Ana Cole' }, 89)
    await transaction((tx) => tx.update(rsvps).set({ changedAt: call.now.toISOString() }).where(eq(rsvps.id, newest)))
    const before = await getStatistics({}, call)
    expect(before).toMatchObject({ superseded: 1, people: { expected: 1 } })
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(1)
    expect(await getStatistics({}, call)).toEqual(before)
    expect(await anonymizeOldRsvps({ days: 88 }, call)).toBe(1)
    expect(await getStatistics({}, call)).toEqual(before)
  })

  it('takes what is older than so many days to the millisecond, and once', async () => {
    const old = await addRsvp({}, 90, -1)
    const kept = await addRsvp({}, 90)
    expect(await countOldRsvps({ days: 90 }, call)).toBe(1)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(1)
    expect(await countOldRsvps({ days: 90 }, call)).toBe(0)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(0)
    expect(await getRsvp({ id: String(old) }, call)).toMatchObject({ name: 'Anonymous' })
    expect(await getRsvp({ id: String(kept) }, call)).toMatchObject({ name: 'Ana Cole', email: 'ana@cole.example' })
    expect(await auditLines()).toEqual(['site: responses made anonymous 1'])
  })

  it('shows only the administrator that there was an RSVP', async () => {
    const id = await addRsvp({}, 91)
    await anonymizeOldRsvps({ days: 90 }, call)
    for (const actor of ['visitor', 'open mode'] as const) {
      const visitor = testCall({ administrator: false, actor })
      expect(await listRsvps({}, visitor)).toMatchObject({ json: Buffer.from('[]'), next: undefined })
    }
    expect(JSON.parse(String((await listRsvps({}, testCall())).json))).toMatchObject([{ id, name: 'Anonymous' }])
  })

  it('accepts an RSVP again whose idempotency key was anonymized', async () => {
    const sent = { ...testRsvp(), idempotencyKey: 'the same' }
    const { id } = await createRsvp(sent, testCall({ now: new Date('2024-01-01T00:00:00Z') }))
    await anonymizeOldRsvps({ days: 90 }, call)
    expect((await createRsvp(sent, testCall())).id).toBeGreaterThan(id)
  })

  it('leaves samples what they are', async () => {
    const now = new Date('2024-01-01T00:00:00Z')
    await createSampleRsvps([now.toISOString(), now.toISOString()], testCall())
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(2)
    expect(await hasRealRsvps(call)).toBe(false)
    expect(await deleteSampleRsvps(call)).toBe(2)
  })

  it('works in batches, so that other requests go on', async () => {
    const row = { name: 'Ana', email: 'a@b.co', attending: true, addToCalendar: false, createdAt: '2020' }
    const many = Array.from({ length: WRITE_BATCH_SIZE + 5 }, (_, key) => ({ ...row, key: String(key) }))
    await transaction((tx) => tx.insert(rsvps).values(many))
    expect(await countOldRsvps({ days: 90 }, call)).toBe(205)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(200)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(5)
    expect(await anonymizeOldRsvps({ days: 90 }, call)).toBe(0)
    expect(await auditLines()).toEqual(['site: responses made anonymous 200', 'site: responses made anonymous 5'])
    expect(await db.$count(rsvps)).toBe(205)
  })

  it.each([{ days: 0 }, { days: -1 }, { days: 1.5 }, { days: '90' }, {}, undefined])('refuses %j', async (age) => {
    const id = await addRsvp({}, 5000)
    await expect(anonymizeOldRsvps(age, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(countOldRsvps(age, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await getRsvp({ id: String(id) }, call)).toMatchObject({ name: 'Ana Cole' })
  })
})
