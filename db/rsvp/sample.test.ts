import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/feature/operations.ts'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { createSampleRsvps, deleteSampleRsvps, hasRealRsvps } from '#db/rsvp/sample.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps, SAMPLE_KEY } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'

const call = testCall()

/** As many moments, a minute apart, the oldest first. */
function moments(count: number): string[] {
  return Array.from({ length: count }, (_, minute) => new Date(Date.UTC(2025, 0, 5, 0, minute)).toISOString())
}

/** What is stored, the newest first. */
async function stored() {
  return responsesOf(await listRsvps({ limit: 1000 }, call))
}

describeOnBothDatabases('sample operations', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
  })

  it('store one sample for each moment, in that order', async () => {
    const given = moments(40)
    await createSampleRsvps(given, call)
    expect((await stored()).map(({ createdAt }) => createdAt)).toEqual(given.toReversed())
  })

  it('store the same moment as often as it is given', async () => {
    await createSampleRsvps(['2025-01-05T00:00:00.000Z', '2025-01-05T00:00:00.000Z'], call)
    expect(await db.$count(rsvps)).toBe(2)
  })

  it('are for the service of this week above all, some for the next, the others for that of their time', async () => {
    await createSampleRsvps(new Array(200).fill('2024-12-10T00:00:00.000Z'), call)
    const byDate = Map.groupBy(await stored(), ({ serviceDate }) => serviceDate)
    expect([...byDate.keys()].toSorted()).toEqual(['2024-12-14', '2025-01-11', '2025-01-18'])
    expect(byDate.get('2025-01-11')?.length).toBeGreaterThan(60)
  })

  it('offer no role that is retired', async () => {
    const roles = await listVolunteerRoles(call)
    for (const { id } of roles.slice(1)) await changeVolunteerRole({ id: String(id), retired: true }, call)
    await createSampleRsvps(moments(60), call)
    const chosen = (await stored()).flatMap(({ volunteerSignups }) => volunteerSignups.map(({ role }) => role.id))
    expect(new Set(chosen)).toEqual(new Set([roles[0]?.id]))
    for (const { id } of roles) await changeVolunteerRole({ id: String(id), retired: false }, call)
  })

  it('offer no role that is filled', async () => {
    const [role, ...others] = await listVolunteerRoles(call)
    // Of several roles, chance would leave out this one now and again.
    for (const { id } of others) await changeVolunteerRole({ id: String(id), retired: true }, call)
    await changeVolunteerRole({ id: String(role?.id), needed: 1 }, call)
    await createSampleRsvps(moments(100), call)
    const samples = await stored()
    expect(samples).toHaveLength(100)
    const filling = samples.filter(({ volunteerSignups }) => volunteerSignups[0]?.role.id === role?.id)
    expect(filling.filter(({ serviceDate }) => serviceDate === '2025-01-11')).toHaveLength(1)
    await changeVolunteerRole({ id: String(role?.id), needed: null }, call)
    for (const { id } of others) await changeVolunteerRole({ id: String(id), retired: false }, call)
  })

  it('work with every feature off', async () => {
    await changeFeatures({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false }, call)
    await createSampleRsvps(moments(20), call)
    const samples = await stored()
    expect(samples).toHaveLength(20)
    expect(samples.flatMap(({ familyMembers }) => familyMembers)).toEqual([])
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
  })

  it.each([['2025-01-05'], ['yesterday'], [7]])('refuse %j, and store nothing', async (moment) => {
    await expect(createSampleRsvps([...moments(2), moment], call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await db.$count(rsvps)).toBe(0)
  })

  it('tell samples from RSVPs', async () => {
    expect(await hasRealRsvps(call)).toBe(false)
    await createSampleRsvps(moments(2), call)
    expect(await hasRealRsvps(call)).toBe(false)
    await createRsvp({ ...testRsvp(), idempotencyKey: 'a-sample-of-mine' }, testCall())
    expect(await hasRealRsvps(call)).toBe(true)
  })

  it('delete the samples, some at a time, and nothing else', async () => {
    const { id } = await createRsvp({ ...testRsvp(), idempotencyKey: 'another-of-mine' }, testCall())
    const row = { name: 'Ana Cole', email: 'ana@cole.example', attending: true, addToCalendar: false, createdAt: '' }
    const samples = moments(WRITE_BATCH_SIZE + 3).map((moment) => ({ ...row, key: SAMPLE_KEY + moment }))
    await transaction((tx) => tx.insert(rsvps).values(samples))
    await createSampleRsvps(moments(2), call)
    expect(await deleteSampleRsvps(call)).toBe(WRITE_BATCH_SIZE)
    expect(await deleteSampleRsvps(call)).toBe(5)
    expect(await deleteSampleRsvps(call)).toBe(0)
    expect((await stored()).map((response) => response.id)).toEqual([id])
  })
})
