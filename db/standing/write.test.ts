import { beforeEach, expect, it } from 'vitest'
import { clockMarks } from '#db/clock/table.ts'
import { changeFeatures } from '#db/feature/operations.ts'
import { describeOnBothDatabases, emptyTables, testCall, testRsvp } from '#db/fixtures.ts'
import { addRsvp } from '#db/rsvp/entry.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { changeSchedule, skipService, stampServiceDates, unskipService } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { skippedDates } from '#db/schedule/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { listStanding } from './operations.ts'
import { standingRsvps } from './table.ts'
import { writeStandingRsvps } from './write.ts'

/** A Wednesday; services are on Saturdays from ten to twelve in Chicago. */
const wednesday = new Date('2026-11-18T12:00:00.000Z')
const call = testCall({ now: wednesday })
const inDays = (days: number) => testCall({ now: new Date(wednesday.getTime() + days * 24 * 3600 * 1000) })
const household = {
  familyMembers: [{ name: 'Joel Cole', age: 'child' }],
  volunteerRoles: [1],
  phone: '555',
  standing: true,
}

async function rows() {
  const found = await db.select().from(rsvps).orderBy(rsvps.serviceDate, rsvps.id)
  return found.map(
    ({ serviceDate, name, deletedAt }) => `${serviceDate} ${name}${deletedAt === null ? '' : ' deleted'}`,
  )
}

async function listed(filter: { week?: string } = {}) {
  return responsesOf(await listRsvps(filter, call))
}

async function begin(changes: Record<string, unknown> = {}) {
  return (await createRsvp(testRsvp({ ...household, ...changes }), call)).id
}

describeOnBothDatabases('writeStandingRsvps', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, standingRsvps, skippedDates)
    await transaction((tx) => tx.update(clockMarks).set({ seenAt: '', doubtedAt: null }))
    await transaction((tx) => tx.update(volunteerRoles).set({ needed: null, retired: false }))
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
    await changeSchedule({ weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'America/Chicago' }, call)
  })

  it('writes the next RSVP when a service is over, and each only once', async () => {
    await begin({ message: 'Hello', remind: true, firstVisit: true })
    const written = []
    for (const days of [0, 3, 3.3, 3.3]) written.push(await writeStandingRsvps(inDays(days)))
    expect(written).toEqual([0, 0, 1, 0])
    const [, next] = (await listed({})).toReversed()
    const said = { name: 'Ana Cole', email: 'ana@cole.example', phone: '555', standing: true, remind: true }
    expect(next).toMatchObject({
      ...said,
      serviceDate: '2026-11-28',
      message: null,
      firstVisit: false,
      changedAt: null,
    })
    expect(next?.familyMembers).toEqual([{ name: 'Joel Cole', age: 'child', attending: true }])
    expect(next?.volunteerSignups.map(({ role }) => role.id)).toEqual([1])
  })

  it('writes what was missed, but not for a household that was quiet for a year, nor by a doubtful clock', async () => {
    await begin()
    await transaction((tx) => tx.update(clockMarks).set({ seenAt: wednesday.toISOString() }))
    expect(await writeStandingRsvps(inDays(60))).toBe(0)
    expect(await writeStandingRsvps(inDays(24))).toBe(3)
    expect(await rows()).toEqual(
      ['21', '28'].map((day) => `2026-11-${day} Ana Cole`).concat(['05', '12'].map((day) => `2026-12-${day} Ana Cole`)),
    )
    await transaction((tx) => tx.update(standingRsvps).set({ seenAt: inDays(-345).now.toISOString() }))
    expect(await writeStandingRsvps(inDays(31))).toBe(0)
  })

  it('writes only the last word of a household that has begun twice', async () => {
    await begin({ phone: '1' })
    await begin({ phone: '2', name: 'ANA\u00a0 COLE' })
    expect(await writeStandingRsvps(inDays(4))).toBe(1)
    expect((await listed({ week: '2026-11-28' })).map(({ phone }) => phone)).toEqual(['2'])
  })

  it('gives a role with a need to those who stand first, and leaves out what is off or retired', async () => {
    for (const name of ['Ana', 'Ben', 'Cleo'])
      await begin({ name, email: `${name}@example.org`, volunteerRoles: [1, 1, 2] })
    await changeVolunteerRole({ id: '1', needed: 2 }, call)
    await changeVolunteerRole({ id: '2', retired: true }, call)
    await addRsvp({ name: 'Dora', attending: true, serviceDate: '2026-11-28', volunteerRoles: [1] }, call)
    await writeStandingRsvps(inDays(4))
    const filled = async (week: string) =>
      (await listed({ week }))
        .toReversed()
        .map((rsvp) => `${rsvp.name} ${rsvp.volunteerSignups.map(({ role }) => role.id)}`)
    expect(await filled('2026-11-28')).toEqual(['Dora 1', 'Ana 1', 'Ben ', 'Cleo '])
    await changeFeatures({ volunteerSignup: false, familyRsvp: false }, call)
    await writeStandingRsvps(inDays(11))
    expect(await filled('2026-12-05')).toEqual(['Ana ', 'Ben ', 'Cleo '])
    expect((await listed({ week: '2026-12-05' })).flatMap(({ familyMembers }) => familyMembers)).toEqual([])
  })

  it('leaves out a skipped week, but keeps what was written for it, to call those households', async () => {
    await begin()
    await writeStandingRsvps(inDays(4))
    await skipService({ date: '2026-12-12' }, inDays(4))
    const { skippedRsvps } = await changeSchedule({ skippedDates: ['2026-11-28', '2026-12-12'] }, inDays(4))
    expect(skippedRsvps).toBe(1)
    const days = ['2026-11-21', '2026-11-28', '2026-12-05'].map((day) => `${day} Ana Cole`)
    expect(await rows()).toEqual(days)
    await unskipService({ date: '2026-11-28' }, inDays(5))
    expect(await rows()).toEqual(days)
    await writeStandingRsvps(inDays(18))
    expect(await rows()).toEqual([...days, '2026-12-19 Ana Cole'])
    await unskipService({ date: '2026-12-12' }, inDays(18))
    expect(await rows()).toEqual([...days, '2026-12-12 Ana Cole', '2026-12-19 Ana Cole'])
  })

  it('writes what was missed by the schedule as it was, and begins with the moved service', async () => {
    await begin()
    await begin({ name: 'Ben', email: 'ben@example.org', serviceDate: '2026-12-12' })
    await changeSchedule({ weekday: 5 }, inDays(14))
    const days = ['2026-11-21', '2026-11-28', '2026-12-04'].map((day) => `${day} Ana Cole`)
    expect(await rows()).toEqual([...days, '2026-12-11 Ben'])
    expect((await listStanding(call)).map(({ since }) => since)).toEqual(['2026-11-21', '2026-12-11'])
  })

  it('waits while another process has yet to find out for which service RSVPs are', async () => {
    await begin()
    await transaction((tx) => tx.update(rsvps).set({ serviceDate: UNSTAMPED }))
    expect(await writeStandingRsvps(inDays(4))).toBe(0)
    await stampServiceDates()
    expect(await writeStandingRsvps(inDays(4))).toBe(1)
  })
})
