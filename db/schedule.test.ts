import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { serverTimeZone } from '#db/config/config.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { addRsvp, changeRsvp } from '#db/rsvp/entry.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { schedules, skippedDates } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { SKIPPED_DATES_MAXIMUM } from '#db/values/schedule.ts'
import { testSchedule } from '#db/values/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/values/services.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { daysMoved, getSchedule } from './schedule.ts'

/** A Wednesday. */
const call = testCall({ now: new Date('2026-11-18T12:00:00.000Z') })
const sunday = { weekday: 0, startTime: '09:30', timeZone: 'America/Chicago' }

async function dates(): Promise<string[]> {
  const rows = await db.select({ date: rsvps.serviceDate }).from(rsvps).orderBy(rsvps.id)
  return rows.map(({ date }) => date)
}

describeOnBothDatabases('schedule operations', () => {
  beforeEach(() => emptyTables(rsvps, schedules, skippedDates, auditEntries))

  it('give the default while no schedule is set', async () => {
    expect(await getSchedule(call)).toMatchObject({
      weekday: 6,
      startTime: '10:00',
      durationMinutes: 120,
      timeZone: serverTimeZone(),
      closesMinutesBefore: null,
      skippedDates: [],
      confirmed: false,
    })
    const services = (await getSchedule(call)).services.map(({ date }) => date)
    expect([services.length, services[0], services.at(-1)]).toEqual([8, '2026-11-21', '2027-01-09'])
  })

  it('change what is given and confirm the rest', async () => {
    await changeSchedule({ timeZone: 'Asia/Kolkata', durationMinutes: 90 }, call)
    expect(await getSchedule(call)).toMatchObject({
      weekday: 6,
      startTime: '10:00',
      durationMinutes: 90,
      timeZone: 'Asia/Kolkata',
      confirmed: true,
      services: expect.arrayContaining([
        {
          date: '2026-11-21',
          startsAt: '2026-11-21T04:30:00.000Z',
          endsAt: '2026-11-21T06:00:00.000Z',
          closesAt: '2026-11-21T06:00:00.000Z',
        },
      ]),
    })
    expect(await auditLines()).toContain('terminal: schedule changed durationMinutes timeZone')
  })

  it('move also what is sent or changed at the same moment', async () => {
    await changeSchedule({ weekday: 6 }, call)
    const { id } = await createRsvp(testRsvp(), call)
    await Promise.allSettled([
      changeSchedule(sunday, call),
      createRsvp(testRsvp({ name: 'Bea Cole' }), call),
      createRsvp({ ...testRsvp({ name: 'Cy Cole' }), idempotencyKey: 'at the same moment' }, call),
      changeRsvp({ id: String(id), name: 'Ana Roe' }, call),
      addRsvp({ name: 'Dan Cole', attending: true }, call),
    ])
    expect(await dates()).toEqual(Array(4).fill('2026-11-22'))
  })

  it('say how many RSVPs are for the services that are skipped from now on', async () => {
    await changeSchedule({ weekday: 6, skippedDates: ['2026-12-26'] }, call)
    for (const serviceDate of ['2026-11-28', '2026-11-28', '2026-12-05', '2026-12-12'])
      await createRsvp(testRsvp({ serviceDate }), call)
    const deleted = { deletedAt: call.now.toISOString() }
    await transaction((tx) => tx.update(rsvps).set(deleted).where(eq(rsvps.serviceDate, '2026-12-05')))
    const skippedRsvps = async (...dates: string[]) =>
      (await changeSchedule({ skippedDates: dates }, call)).skippedRsvps
    expect(await skippedRsvps('2026-11-28', '2026-12-05', '2026-12-26')).toBe(2)
    expect(await skippedRsvps('2026-11-28', '2026-12-12')).toBe(1)
    expect(await skippedRsvps('2026-11-28')).toBe(0)
    expect((await dates()).length).toBe(4)
  })

  it('skip no more services than a schedule can hold', async () => {
    const most = Array.from({ length: SKIPPED_DATES_MAXIMUM }, (_, week) => addDays('2026-11-21', 7 * week))
    await changeSchedule({ skippedDates: most }, call)
    const oneMore = changeSchedule({ skippedDates: [addDays('2026-11-21', -7), ...most] }, call)
    await expect(oneMore).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'skippedDates' }] })
    expect((await getSchedule(call)).skippedDates).toEqual(most)
  })

  it.each([
    [{}],
    [{ weekday: 7 }],
    [{ durationMinutes: 1441 }],
    [{ closesMinutesBefore: -1 }],
    [{ skippedDates: ['2026-02-30'] }],
    [{ skippedDates: ['2026-11-21', '2026-11-27'] }],
    [{ weekday: 5, skippedDates: ['2026-11-21'] }],
    [{ skipReason: 'The heating is broken.' }],
    [{ weekDay: 6 }],
  ])('refuse %j', async (change) => {
    await expect(changeSchedule(change, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await getSchedule(call)).toMatchObject({ confirmed: false })
  })

  it('stamp again, by the confirmed schedule, what came before', async () => {
    const before = ['2026-11-01T12:00:00Z', '2026-11-18T12:00:00Z']
    for (const now of before) await createRsvp(testRsvp(), testCall({ now: new Date(now) }))
    await createRsvp(testRsvp({ serviceDate: '2026-12-05' }), call)
    expect(await dates()).toEqual(['2026-11-07', '2026-11-21', '2026-12-05'])
    expect(await changeSchedule(sunday, call)).toMatchObject({ movedRsvps: 2 })
    expect(await dates()).toEqual(['2026-11-01', '2026-11-22', '2026-12-06'])
  })

  it('move what was entered for a service that was over along with it, and not to the next one', async () => {
    const entered = { name: 'Ana Cole', attending: true, serviceDate: '2026-11-14' }
    await addRsvp(entered, testCall({ now: new Date('2026-11-15T18:00:00.000Z') }))
    expect((await changeSchedule(sunday, call)).confirmed).toBe(true)
    expect(await dates()).toEqual(['2026-11-15'])
  })

  it('keep which service was held last, whatever changes afterwards', async () => {
    const saturday = { weekday: 6, timeZone: 'America/Chicago' }
    expect((await changeSchedule(saturday, call)).lastService).toBe('2026-11-14')
    const monday = testCall({ now: new Date('2026-11-23T12:00:00Z') })
    expect((await changeSchedule({ weekday: 0 }, monday)).lastService).toBe('2026-11-21')
    expect((await changeSchedule({ startTime: '11:00' }, monday)).lastService).toBe('2026-11-21')
    expect((await changeSchedule({ weekday: 5 }, monday)).lastService).toBe('2026-11-21')
    expect((await getSchedule(testCall({ now: new Date('2026-12-01T12:00:00Z') }))).lastService).toBe('2026-11-27')
  })

  it('count no day as a service on which an administrator tried another weekday once it would have been over', async () => {
    await changeSchedule({ weekday: 6, timeZone: 'America/Chicago' }, call)
    const evening = testCall({ now: new Date('2026-11-22T22:00:00Z') })
    for (const weekday of [0, 6]) expect((await changeSchedule({ weekday }, evening)).lastService).toBe('2026-11-21')
    expect((await getSchedule(testCall({ now: new Date('2026-11-28T20:00:00Z') }))).lastService).toBe('2026-11-28')
  })

  it('move RSVPs for services to come with the service, and leave those of services that are over', async () => {
    await changeSchedule({ weekday: 6, timeZone: 'America/Chicago' }, call)
    await createRsvp(testRsvp(), testCall({ now: new Date('2026-11-11T12:00:00Z') }))
    await createRsvp(testRsvp(), call)
    await createRsvp(testRsvp({ serviceDate: '2026-12-12' }), call)
    const { id } = await createRsvp(testRsvp({ serviceDate: '2026-12-05' }), call)
    const deleted = { deletedAt: call.now.toISOString() }
    await transaction((tx) => tx.update(rsvps).set(deleted).where(eq(rsvps.id, id)))
    expect(await changeSchedule({ weekday: 0 }, call)).toMatchObject({ movedRsvps: 2 })
    // Who restores the deleted one finds it moved too.
    expect(await dates()).toEqual(['2026-11-14', '2026-11-22', '2026-12-13', '2026-12-06'])
    await transaction((tx) => tx.delete(rsvps).where(eq(rsvps.id, id)))
    expect(await changeSchedule({ startTime: '11:00' }, call)).toMatchObject({ movedRsvps: 0 })
    expect(await dates()).toEqual(['2026-11-14', '2026-11-22', '2026-12-13'])
  })

  it('move the skipped dates to come as many days as the RSVPs', async () => {
    const skipped = ['2026-11-07', '2026-11-21', '2026-12-25', '2026-12-26']
    // It was skipped while services were on Fridays.
    await changeSchedule({ weekday: 5, timeZone: 'America/Chicago', skippedDates: ['2026-12-25'] }, call)
    await changeSchedule({ weekday: 6, skippedDates: ['2026-12-25'] }, call)
    await createRsvp(testRsvp({ serviceDate: '2026-11-21' }), call)
    await changeSchedule({ skippedDates: skipped }, call)
    await createRsvp(testRsvp(), call)
    expect(await changeSchedule({ weekday: 0 }, call)).toMatchObject({
      skippedDates: ['2026-11-07', '2026-11-22', '2026-12-25', '2026-12-27'],
      movedRsvps: 2,
      skippedRsvps: 0,
    })
    expect(await dates()).toEqual(['2026-11-22', '2026-11-29'])
  })

  it('move a skipped date onto one that is skipped already, and none where they are given or the day stays', async () => {
    const skipped = ['2026-12-05', '2026-12-06']
    await changeSchedule({ weekday: 0, timeZone: 'America/Chicago', skippedDates: ['2026-12-06'] }, call)
    await changeSchedule({ weekday: 6, skippedDates: skipped }, call)
    const kept = { skippedDates: skipped }
    expect(await changeSchedule({ startTime: '11:00' }, call)).toMatchObject(kept)
    expect(await changeSchedule({ weekday: 0, skippedDates: skipped }, call)).toMatchObject(kept)
    await changeSchedule({ weekday: 6, skippedDates: skipped }, call)
    expect(await changeSchedule({ weekday: 0 }, call)).toMatchObject({ skippedDates: ['2026-12-06'] })
  })
})

const weekdays = [0, 1, 2, 3, 4, 5, 6]
/** Each day of a week, before, at and after the service. */
const moments = weekdays.flatMap((day) =>
  ['00:30', '11:00', '18:01'].map((time) => new Date(`${addDays('2026-11-15', day)}T${time}:00Z`)),
)

describe('daysMoved', () => {
  it.each([0, 2])(
    'leads every service to come onto a later one of the other weekday, in order, where the next %i are skipped',
    (count) => {
      const wrong: unknown[] = []
      for (const now of moments)
        for (const from of weekdays)
          for (const to of weekdays) {
            const all = testSchedule({ weekday: from, timeZone: 'UTC' })
            const dates = Array.from(servicesFrom(all, now).take(4), ({ date }) => date)
            const before = { ...all, skippedDates: dates.slice(0, count) }
            const after = { ...before, weekday: to }
            const days = daysMoved(before, after, now)
            const moved = dates.map((date) => addDays(date, days))
            const isOver = (date: string) => serviceOn(after, date).endsAt <= now.toISOString()
            const isNearest = Math.abs(days) <= 3 || isOver(addDays(moved[0] ?? '', -7))
            // Also those that are skipped: the people who wanted to come then are to be found in a week to come.
            const isRight = moved.every((date) => weekdayOf(date) === to && !isOver(date)) && isNearest
            if (!isRight) wrong.push({ now, from, to, moved })
          }
      expect(wrong).toEqual([])
    },
  )
})
