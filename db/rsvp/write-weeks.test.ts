import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { db, transaction } from '#db/storage/client.ts'
import { schedules, skippedDates } from '#db/tables/invitation.ts'
import { rsvps, standingRsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { addDays } from '#db/values/dates.ts'
import { describeOnBothDatabases, emptyTables, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { countByWeek } from './counts.ts'
import { addRsvp } from './entry.ts'
import { listRsvps, responsesOf } from './list.ts'
import { changeVolunteerRole } from './roles.ts'
import { getSheet, listFilledRoles, listToCall } from './sheet.ts'
import { skipService, unskipService } from './skip-fixtures.ts'
import { createRsvp } from './submit.ts'
import { writeStandingRsvps } from './write-weeks.ts'

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

/** The RSVPs of Ana Cole from the first on. */
function saturdays(count: number): string[] {
  return Array.from({ length: count }, (_, week) => `${addDays('2026-11-21', 7 * week)} Ana Cole`)
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
    await transaction((tx) => tx.update(volunteerRoles).set({ needed: null, retired: false }))
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
    await changeSchedule({ weekday: 6, startTime: '10:00', durationMinutes: 120, timeZone: 'America/Chicago' }, call)
  })

  it('writes the services offered with the first, then each that is offered next, and each only once', async () => {
    await begin({ message: 'Hello', remind: true, firstVisit: true })
    expect(await rows()).toEqual(saturdays(8))
    const written = []
    for (const days of [0, 3, 3.3, 3.3]) written.push(await writeStandingRsvps(inDays(days)))
    expect(written).toEqual([0, 0, 1, 0])
    expect(await rows()).toEqual(saturdays(9))
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

  it('writes what was missed, but not for a household that was quiet for a year', async () => {
    await begin()
    expect(await writeStandingRsvps(inDays(24))).toBe(3)
    expect(await rows()).toEqual(saturdays(11))
    await transaction((tx) => tx.update(standingRsvps).set({ seenAt: inDays(-345).now.toISOString() }))
    expect(await writeStandingRsvps(inDays(31))).toBe(0)
  })

  it('counts the last word of a household that has begun twice, also for a role with one place', async () => {
    await changeVolunteerRole({ id: '1', needed: 1 }, call)
    await begin({ phone: '1' })
    await begin({ phone: '2', name: 'ANA\u00a0 COLE' })
    expect(await writeStandingRsvps(inDays(4))).toBe(2)
    for (const week of ['2026-11-28', '2027-01-16']) {
      expect(await getSheet({ week }, call)).toMatchObject({ superseded: 1, people: { expected: 2 } })
      expect((await listFilledRoles(week))[0]).toMatchObject({ people: ['ANA\u00a0 COLE'] })
      expect((await listToCall({ week }, call)).map(({ phone }) => phone)).toEqual(['2'])
    }
  })

  it('lets what a household has sent for one week alone count there, and takes no place of a role from others then', async () => {
    await begin()
    await begin({ name: 'Ben Cole', email: 'ben@cole.example', familyMembers: [] })
    await changeVolunteerRole({ id: '1', needed: 1 }, call)
    const week = '2027-01-16'
    await createRsvp(testRsvp({ attending: false, serviceDate: week }), inDays(4))
    expect(await writeStandingRsvps(inDays(4))).toBe(2)
    expect(await getSheet({ week }, call)).toMatchObject({ superseded: 1, people: { expected: 1 } })
    expect((await listFilledRoles(week))[0]).toMatchObject({ people: ['Ben Cole'] })
  })

  it('begins with the service that was asked for, which moves with a confirmed schedule', async () => {
    const since = async () => (await db.select().from(standingRsvps)).map((standing) => standing.since)
    await begin({ serviceDate: '2026-12-05' })
    await changeSchedule({ skippedDates: ['2026-11-21'] }, call)
    expect([await rows(), await since()]).toEqual([saturdays(9).slice(2), ['2026-12-05']])
    await changeSchedule({ weekday: 5 }, call)
    const fridays = saturdays(9).map((row) => `${addDays(row.slice(0, 10), -1)} Ana Cole`)
    expect([await rows(), await since()]).toEqual([fridays.slice(2), ['2026-12-04']])
  })

  it('gives a role with a need to those who stand first, and leaves out what is off or retired', async () => {
    await changeVolunteerRole({ id: '1', needed: 2 }, call)
    await addRsvp({ name: 'Dora', attending: true, serviceDate: '2026-11-28', volunteerRoles: [1] }, call)
    for (const name of ['Ana', 'Ben', 'Cleo'])
      await begin({ name, email: `${name}@example.org`, volunteerRoles: name === 'Cleo' ? [2] : [1, 1, 2] })
    const filled = async (week: string) =>
      (await listed({ week }))
        .toReversed()
        .map((rsvp) => `${rsvp.name} ${rsvp.volunteerSignups.map(({ role }) => role.id)}`)
    expect(await filled('2026-11-28')).toEqual(['Dora 1', 'Ana 1,2', 'Ben 2', 'Cleo 2'])
    await changeVolunteerRole({ id: '2', retired: true }, call)
    await writeStandingRsvps(inDays(4))
    expect(await filled('2027-01-09')).toEqual(['Ana 1,2', 'Ben 1,2', 'Cleo 2'])
    expect(await filled('2027-01-16')).toEqual(['Ana 1', 'Ben 1', 'Cleo '])
    await changeFeatures({ volunteerSignup: false, familyRsvp: false }, call)
    await writeStandingRsvps(inDays(11))
    expect(await filled('2027-01-23')).toEqual(['Ana ', 'Ben ', 'Cleo '])
    expect((await listed({ week: '2027-01-23' })).flatMap(({ familyMembers }) => familyMembers)).toEqual([])
  })

  it('writes also what is skipped, to call those households, and to count them once it is held after all', async () => {
    await skipService({ date: '2026-12-12' }, call)
    await begin()
    expect(await rows()).toEqual(saturdays(9))
    const { skippedRsvps } = await changeSchedule({ skippedDates: ['2026-12-12', '2027-01-23'] }, inDays(4))
    expect(skippedRsvps).toBe(1)
    await writeStandingRsvps(inDays(11))
    expect(await rows()).toEqual(saturdays(12))
    for (const week of ['2026-12-12', '2027-01-23'])
      expect((await listToCall({ week }, call)).map(({ name }) => name)).toEqual(['Ana Cole'])
    expect((await countByWeek({ week: '2026-12-12' }))[0]?.people.expected).toBe(0)
    await unskipService({ date: '2026-12-12' }, inDays(12))
    expect((await countByWeek({ week: '2026-12-12' }))[0]?.people.expected).toBe(2)
    expect(await rows()).toEqual(saturdays(12))
  })

  it('moves what is written with a schedule that was only a guess', async () => {
    await emptyTables(schedules)
    await begin()
    await writeStandingRsvps(inDays(8))
    await changeSchedule({ weekday: 0, timeZone: 'America/Chicago' }, inDays(8))
    expect(await rows()).toEqual(saturdays(9).map((row) => `${addDays(row.slice(0, 10), 1)} Ana Cole`))
  })
})
