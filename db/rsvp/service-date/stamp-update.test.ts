import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { fileDatabase } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { BEFORE_SERVICE_DATES, makePreviousDatabase } from '#db/previous-version-fixtures.ts'
import { closeDatabase } from '#db/storage/client.ts'

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
