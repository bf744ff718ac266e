import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { emptyTables, fileDatabase, openForTests, storeRows, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { BEFORE_SERVICE_DATES, makePreviousDatabase } from '#db/previous-version-fixtures.ts'
import { testSchedule } from '#db/schedule/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/schedule/services.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { closeDatabase, db } from '#db/storage/client.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { changeSchedule, daysMoved, skipService, stampServiceDates } from './service-dates.ts'
import { createRsvp } from './submit.ts'
import { rsvps } from './table.ts'

describe('stampServiceDates', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(rsvps, schedules, skippedDates)
    await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2025-01-18'] }, testCall())
  })

  /** Stores RSVPs that came at these moments, without a stamp, and returns the stamps of all by then. */
  async function stampsOf(moments: string[]): Promise<string[]> {
    if (moments.length > 0) await storeRows(moments.map((createdAt) => ({ createdAt })))
    await stampServiceDates()
    const stamped = await db.select({ date: rsvps.serviceDate }).from(rsvps).orderBy(rsvps.id)
    return stamped.map(({ date }) => date)
  }

  it('takes the service that was next when each came, whatever their order', async () => {
    const dates = [
      ['2025-01-06T12:00:00.000Z', '2025-01-11'],
      // The service is from ten to noon, six hours behind UTC.
      ['2025-01-11T17:59:59.999Z', '2025-01-11'],
      ['2025-01-11T18:00:00.000Z', '2025-01-25'],
      ['2024-07-01T00:00:00.000Z', '2024-07-06'],
      ['2025-01-06T12:00:00.000Z', '2025-01-11'],
    ]
    expect(await stampsOf(dates.map(([moment = '']) => moment))).toEqual(dates.map(([, date]) => date))
  })

  it('takes that before which they had closed', async () => {
    await changeSchedule({ closesMinutesBefore: 60 }, testCall())
    const stamps = await stampsOf(['2025-01-11T14:59:59.999Z', '2025-01-11T15:00:00.000Z'])
    expect(stamps).toEqual(['2025-01-11', '2025-01-25'])
  })

  it('takes thousands, some at a time', async () => {
    expect(new Set(await stampsOf(Array(2500).fill('2025-01-06T12:00:00.000Z')))).toEqual(new Set(['2025-01-11']))
  })

  it('keeps the stamps that there are, and has an end where a moment is none', async () => {
    await createRsvp(testRsvp({ serviceDate: '2025-02-01' }), testCall())
    expect(await stampsOf(['last week'])).toEqual(['2025-02-01', '1970-01-03'])
    expect(await stampsOf([])).toEqual(['2025-02-01', '1970-01-03'])
  })
})

/** The first version had no roles, which the fixture signs up for. */
it.each([
  [2, false],
  [BEFORE_SERVICE_DATES, true],
])('an update from a version with %i migrations stamps its RSVPs (serving: %s)', async (version, serving) => {
  const database = fileDatabase()
  onTestFinished(database.stop)
  makePreviousDatabase(join(database.folder, 'rsvp.db'), 3, version)
  await openDatabase(database.url, { otherVersion: 'migrate', serving })
  const dates = await db.select({ date: rsvps.serviceDate }).from(rsvps)
  await closeDatabase()
  expect(dates).toEqual(Array(3).fill({ date: '2025-01-11' }))
})

describe('the reason why a service is skipped', () => {
  openForTests()

  it('stays where other days are skipped, and moves along to another weekday', async () => {
    await changeSchedule({ weekday: 6, skippedDates: ['2025-01-18'], skipReason: 'We are away.' }, testCall())
    await changeSchedule({ skippedDates: ['2025-01-18', '2025-01-25'] }, testCall())
    await changeSchedule({ weekday: 0 }, testCall())
    const rows = [
      { date: '2025-01-19', reason: 'We are away.' },
      { date: '2025-01-26', reason: null },
    ]
    expect(await db.select().from(skippedDates)).toEqual(rows)
    const long = { date: '2025-02-02', reason: 'x'.repeat(201) }
    await expect(skipService(long, testCall())).rejects.toMatchObject({ fields: [{ path: 'reason' }] })
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
