import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { describeOnBothDatabases, fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { BEFORE_SERVICE_DATES, makePreviousDatabase } from '#db/previous-version-fixtures.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { closeDatabase, db, transaction } from '#db/storage/client.ts'
import { changeSchedule } from './change-schedule.ts'
import { stampServiceDates } from './service-dates.ts'
import { createRsvp } from './submit.ts'
import { rsvps, UNSTAMPED } from './table.ts'

describe('stamp', () => {
  /** Stores RSVPs that came at these moments, without a stamp, and returns the stamps of all by then. */
  async function stampsOf(moments: string[]): Promise<string[]> {
    const own = { name: 'Ana', email: 'ana@cole.example', attending: true, addToCalendar: false, publicName: 'A.' }
    const rows = moments.map((createdAt) => ({ ...own, key: randomUUID(), createdAt, serviceDate: UNSTAMPED }))
    if (rows.length > 0) await transaction((tx) => tx.insert(rsvps).values(rows))
    await stampServiceDates()
    const stamped = await db.select({ date: rsvps.serviceDate }).from(rsvps).orderBy(rsvps.id)
    return stamped.map(({ date }) => date)
  }

  describeOnBothDatabases('stampServiceDates', () => {
    beforeEach(async () => {
      await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(schedules), tx.delete(skippedDates)]))
      await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2025-01-18'] }, testCall())
    })

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
      expect(await stampsOf(['2025-01-11T14:59:59.999Z', '2025-01-11T15:00:00.000Z'])).toEqual([
        '2025-01-11',
        '2025-01-25',
      ])
    })

    it('keeps the stamps that there are, and has an end where a moment is none', async () => {
      await createRsvp(testRsvp({ serviceDate: '2025-02-01' }), testCall())
      const [kept, stamped] = await stampsOf(['last week'])
      expect([kept, stamped]).toEqual(['2025-02-01', '1970-01-03'])
      expect(await stampsOf([])).toEqual([kept, stamped])
    })
  })
})

describe('stamp update', () => {
  /** The first one had no roles, which the fixture signs up for. */
  const versions = Array.from({ length: BEFORE_SERVICE_DATES - 1 }, (_, position) => position + 2)

  /** A database with RSVPs of a previous version: `update` starts the site or `rsvp migrate` on it, `run` is any SQL. */
  function previousDatabase(families: number, version: number) {
    const database = fileDatabase()
    const file = join(database.folder, 'rsvp.db')
    onTestFinished(() => database.stop())
    makePreviousDatabase(file, families, version)
    return {
      async update({ serving = false } = {}) {
        await openDatabase(database.url, { otherVersion: 'migrate', serving })
        await closeDatabase()
      },
      run(sql: string) {
        const opened = new DatabaseSync(file)
        const rows = opened.prepare(sql).all()
        opened.close()
        return rows
      },
    }
  }

  const COUNT_BY_DATE = 'SELECT service_date, count(*) AS count FROM rsvps GROUP BY 1 ORDER BY 1'

  it.each(versions)('RSVPs of a version with %i migrations get a service date by the update', async (version) => {
    const { update, run } = previousDatabase(3, version)
    await update()
    expect(run(COUNT_BY_DATE)).toEqual([{ service_date: '2025-01-11', count: 3 }])
  })

  it.each([{ serving: true }, { serving: false }])(
    '10,000 get theirs, also where it was interrupted: %j',
    async (opening) => {
      const { update, run } = previousDatabase(10_000, BEFORE_SERVICE_DATES)
      run("UPDATE rsvps SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', '2015-01-05', (id / 20 * 7) || ' days')")
      await update(opening)
      const stamped = run(COUNT_BY_DATE)
      expect(stamped).toHaveLength(501)
      // Each came on a Monday.
      expect(run("SELECT count(*) AS wrong FROM rsvps WHERE service_date <> date(created_at, '5 days')")).toEqual([
        { wrong: 0 },
      ])
      // As it is where the process was killed after the migration, and in the middle of the stamps.
      for (const left of ['true', 'id > 5000']) {
        run(`UPDATE rsvps SET service_date = '' WHERE ${left}`)
        await update(opening)
        expect(run(COUNT_BY_DATE)).toEqual(stamped)
      }
    },
  )
})
