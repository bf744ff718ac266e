import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyTables, fileDatabase, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { BEFORE_SERVICE_DATES, makePreviousDatabase } from '#db/previous-version-fixtures.ts'
import { testSchedule } from '#db/schedule/schedule-fixtures.ts'
import { serviceOn, servicesFrom } from '#db/schedule/services.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { closeDatabase, db, transaction } from '#db/storage/client.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { changeSchedule, daysMoved, stampServiceDates } from './service-dates.ts'
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
    const own = { name: 'Ana', email: 'ana@cole.example', attending: true, addToCalendar: false }
    const rows = moments.map((createdAt, place) => ({ ...own, key: String(place), createdAt }))
    if (rows.length > 0) await transaction((tx) => tx.insert(rsvps).values(rows))
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

  it('keeps the stamps that there are, and has an end where a moment is none', async () => {
    await createRsvp(testRsvp({ serviceDate: '2025-02-01' }), testCall())
    expect(await stampsOf(['last week'])).toEqual(['2025-02-01', '1970-01-03'])
    expect(await stampsOf([])).toEqual(['2025-02-01', '1970-01-03'])
  })
})

describe('an update', () => {
  /** A database with RSVPs of a previous version: `update` starts the site or `rsvp migrate` on it, `run` is any SQL. */
  async function withPrevious(
    { families, version }: { families: number; version: number },
    test: (update: (serving: boolean) => Promise<void>, run: (sql: string) => unknown[]) => Promise<void>,
  ) {
    const database = fileDatabase()
    const file = join(database.folder, 'rsvp.db')
    makePreviousDatabase(file, families, version)
    const update = async (serving: boolean) => {
      await openDatabase(database.url, { otherVersion: 'migrate', serving })
      await closeDatabase()
    }
    const run = (sql: string) => {
      const opened = new DatabaseSync(file)
      const rows = opened.prepare(sql).all()
      opened.close()
      return rows
    }
    await test(update, run).finally(database.stop)
  }

  const COUNT_BY_DATE = 'SELECT service_date, count(*) AS count FROM rsvps GROUP BY 1 ORDER BY 1'

  /** The first version had no roles, which the fixture signs up for. */
  it.each([2, BEFORE_SERVICE_DATES])('gives RSVPs of a version with %i migrations a service date', async (version) => {
    await withPrevious({ families: 3, version }, async (update, run) => {
      await update(false)
      expect(run(COUNT_BY_DATE)).toEqual([{ service_date: '2025-01-11', count: 3 }])
    })
  })

  it.each([true, false])('gives thousands theirs, also where it was interrupted (serving: %s)', async (serving) => {
    await withPrevious({ families: 2500, version: BEFORE_SERVICE_DATES }, async (update, run) => {
      run("UPDATE rsvps SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', '2015-01-05', (id / 20 * 7) || ' days')")
      await update(serving)
      const stamped = run(COUNT_BY_DATE)
      expect(stamped).toHaveLength(126)
      // Each came on a Monday.
      const wrong = "SELECT id FROM rsvps WHERE service_date <> date(created_at, '5 days')"
      expect(run(wrong)).toEqual([])
      // As it is where the process was killed after the migration, and in the middle of the stamps.
      for (const left of ['true', 'id > 1000']) {
        run(`UPDATE rsvps SET service_date = '' WHERE ${left}`)
        await update(serving)
        expect(run(COUNT_BY_DATE)).toEqual(stamped)
      }
    })
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
