import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { spawnServer } from '#site/scenarios/fixtures.ts'
import { freePort } from '#testing/free-port.mjs'
import { makeNewerVersion } from '#testing/newer-version-fixtures.ts'
import { withOverrides } from '#testing/overrides.mjs'
import { afterTest, testPlace } from './fixtures.ts'

const PEOPLE = 2000
const starts: ((file: string, project: string) => ChildProcess | Promise<ChildProcess>)[] = [
  async (file, project) => {
    const command = [process.execPath, join(project, 'dist/server/entry.mjs')] as const
    return spawnServer({ PORT: String(await freePort()), DATABASE_URL: `file:${file}` }, 'pipe', [...command]).child
  },
  (file, project) => rsvp(file, project, ['migrate']),
]
const isKept = (name: string) => name.startsWith('rsvp.db.before-update-')
/** Moments of a start: so many ms after such a file has come beside the database. A hundred were tried, see lab/README.md. */
const kills: [sign: (name: string) => boolean, ms: number][] = [
  [isKept, 0],
  [(name) => name === 'rsvp.db-journal', 5],
  [isKept, 60],
]

function rsvp(file: string, project: string, words: string[]): ChildProcess {
  const command = join(project, 'dist/cli/rsvp.js')
  return spawn(process.execPath, [command, ...words], {
    env: { ...withOverrides(), DATABASE_URL: `file:${file}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Which version a database is of, the tables and indexes that it has, and what the previous version knew of its rows. */
function contentOf(file: string) {
  const database = new DatabaseSync(file)
  try {
    const all = (sql: string) => database.prepare(sql).all()
    expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(all('PRAGMA foreign_key_check')).toEqual([])
    const columns = 'id, key, name, email, phone, message, attending, add_to_calendar, calendar_type, created_at'
    const rows = [
      `${columns} FROM rsvps`,
      ...['family_members', 'volunteer_signups', 'volunteer_roles', 'features', 'events'].map(
        (name) => `* FROM ${name}`,
      ),
    ].map((what) => all(`SELECT ${what} ORDER BY 1, 2`))
    const applied = all('SELECT hash FROM __drizzle_migrations ORDER BY created_at').map(({ hash }) => hash)
    const schema = all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')
    return { version: JSON.stringify({ applied, schema }), rows: JSON.stringify(rows) }
  } finally {
    database.close()
  }
}

it('a start with a new version that is killed leaves the old version or the new one with every RSVP, and the next start works', async () => {
  const place = testPlace()
  const project = join(place, 'newer')
  makeNewerVersion(project)
  const [previous, newest] = [join(place, 'previous.db'), join(place, 'newest.db')]
  await openDatabase(`file:${previous}`)
  await closeDatabase()
  expect(await once(rsvp(previous, projectRoot, ['add', '--samples', String(PEOPLE)]), 'close')).toEqual([0, null])
  const old = contentOf(previous)
  copyFileSync(previous, newest)
  expect(await once(rsvp(newest, project, ['migrate']), 'close')).toEqual([0, null])
  const updated = contentOf(newest)
  expect(updated.version).not.toBe(old.version)
  expect(updated.rows).toBe(old.rows)

  const found: string[] = []
  for (const start of starts)
    for (const [isSign, ms] of kills) {
      const folder = mkdtempSync(join(place, 'killed-'))
      const file = join(folder, 'rsvp.db')
      copyFileSync(previous, file)
      const child = await start(file, project)
      afterTest(() => child.kill('SIGKILL'))
      const ended = once(child, 'close')
      while (child.exitCode === null && !readdirSync(folder).some(isSign)) await nextTurn()
      await wait(ms)
      child.kill('SIGKILL')
      await ended
      const { version, rows } = contentOf(file)
      expect([old.version, updated.version]).toContain(version)
      expect(rows).toBe(old.rows)
      const copies = readdirSync(folder).filter((name) => isKept(name) && !name.endsWith('-journal'))
      for (const copy of copies) expect(contentOf(join(folder, copy))).toEqual(old)
      if (version === updated.version) expect(copies).toHaveLength(1)
      found.push(version === old.version && copies.length > 0 ? 'in the midst of it' : 'else')
      expect(await once(rsvp(file, project, ['migrate']), 'close')).toEqual([0, null])
      expect(contentOf(file)).toEqual(updated)
    }
  // Otherwise nothing would have been killed in the midst of it.
  expect(found).toContain('in the midst of it')
})
