import { beforeEach, describe, expect, it } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { transaction } from '#db/storage/client.ts'
import { rsvps, SAMPLE_KEY, volunteerRoles } from '#db/tables/rsvp.ts'
import { rsvp } from '#db/values/rsvp.ts'
import { openForTests, storeRows, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { listRsvps, responsesOf } from './list.ts'
import { changeVolunteerRole } from './roles.ts'
import { createSampleRsvps, deleteSampleRsvps, hasRealRsvps, sampleRsvp } from './sample.ts'
import { createRsvp } from './submit.ts'

it('sampleRsvp always gives a response that can be sent, without family, roles and calendar where it does not attend', () => {
  const roleIds = [3, 1_000_000]
  const ends = [() => 0, () => 1 - Number.EPSILON / 2]
  for (const random of [...ends, ...Array(500).fill(Math.random)]) {
    const sample = sampleRsvp(random, random() < 0.1 ? [] : roleIds)
    const sent = rsvp.parse(sample)
    for (const role of sent.volunteerRoles) expect(roleIds).toContain(role)
    // No mail can be delivered to it.
    expect(sent.email).toMatch(/^visitor\d+@sample\.example$/)
    if (!sent.attending) expect(sample).toMatchObject({ familyMembers: [], volunteerRoles: [], addToCalendar: false })
  }
})

const call = testCall()

/** As many moments, a minute apart, the oldest first. */
function moments(count: number): string[] {
  return Array.from({ length: count }, (_, minute) => new Date(Date.UTC(2025, 0, 5, 0, minute)).toISOString())
}

/** What is stored, the newest first. */
const stored = async () => responsesOf(await listRsvps({ limit: 1000 }, call))

describe('samples', () => {
  openForTests()

  beforeEach(async () => {
    await transaction((tx) =>
      tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ retired: false, needed: null })]),
    )
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
  })

  it('offer only roles of which there can be any number', async () => {
    for (const id of ['1', '2', '3', '4']) await changeVolunteerRole({ id, retired: true }, call)
    await changeVolunteerRole({ id: '5', needed: 1 }, call)
    await createSampleRsvps(Array(50).fill('2025-01-05T00:00:00.000Z'), call)
    const offers = (await stored()).flatMap(({ volunteerSignups }) => volunteerSignups.map(({ role }) => role.id))
    expect(new Set(offers)).toEqual(new Set([6]))
  })

  it('are told from RSVPs, and deleted without them', async () => {
    await storeRows(moments(3).map((moment) => ({ key: SAMPLE_KEY + moment })))
    await createSampleRsvps(moments(2), call)
    expect(await hasRealRsvps()).toBe(false)
    const { id } = await createRsvp({ ...testRsvp(), idempotencyKey: 'a-sample-of-mine' }, call)
    expect(await hasRealRsvps()).toBe(true)
    expect(await deleteSampleRsvps(call)).toBe(5)
    expect(await stored()).toMatchObject([{ id }])
  })
})
