import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import { describe, expect, it, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { makeNewerVersion } from '#db/newer-version-fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { spawnServer } from '#site/scenarios/fixtures.ts'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'
import { afterTest, testPlace } from './fixtures.ts'

vi.setConfig({ testTimeout: 1_800_000 })

/** Each is two starts of a process. A hundred of them were tried as well, see docs/reliability.md. */
const KILLS = 8
/** What a kill may hit; as long as one of them was not, there are more kills, but not for ever. */
const WANTED = [/^new/, /^old/, /copied/]
const BATCHES_MAXIMUM = 25
const AT_ONCE = 2
const PEOPLE = 2000
const starts: ((file: string, project: string) => ChildProcess | Promise<ChildProcess>)[] = [
  async (file, project) => {
    const command = [process.execPath, join(project, 'dist/server/entry.mjs')] as const
    return spawnServer({ PORT: String(await freePort()), DATABASE_URL: `file:${file}` }, 'pipe', [...command]).child
  },
  (file, project) => rsvp(file, project, ['migrate']),
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
    const rows = [
      'id, key, name, email, phone, message, attending, add_to_calendar, calendar_type, created_at FROM rsvps',
      'rsvp_id, position, name, age, attending FROM family_members',
      ...['volunteer_signups', 'features', 'events'].map((table) => `* FROM ${table}`),
      'id, name, retired FROM volunteer_roles',
    ].map((what) => all(`SELECT ${what} ORDER BY 1, 2`))
    const applied = all('SELECT hash FROM __drizzle_migrations ORDER BY created_at').map(({ hash }) => hash)
    const schema = all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')
    return { version: JSON.stringify({ applied, schema }), rows: JSON.stringify(rows) }
  } finally {
    database.close()
  }
}

const isKept = (name: string) => name.startsWith('rsvp.db.before-update-')

/**
 * When a start is killed: so many ms at most after a file of this name has come beside the database, on a quick machine.
 * To wait for none nearly always hits the start of Node.
 */
const moments: { after: RegExp; longest: number }[] = [
  { after: /./, longest: 800 },
  { after: /before-update/, longest: 150 },
  { after: /^rsvp\.db-journal$/, longest: 30 },
  { after: /^rsvp\.db-journal$/, longest: 100 },
]

/** @param slowness how many times as long as on a quick machine everything takes. */
async function startAndKill(number: number, folder: string, project: string, slowness: number): Promise<void> {
  const child = await starts[number % starts.length]?.(join(folder, 'rsvp.db'), project)
  const moment = moments[Math.floor(number / starts.length) % moments.length]
  if (child === undefined || moment === undefined) return
  afterTest(() => child.kill('SIGKILL'))
  let running = true
  const ended = once(child, 'close').then(() => {
    running = false
  })
  while (running && !readdirSync(folder).some((name) => moment.after.test(name))) await nextTurn()
  // Spread over the time that is left, an eighth after the other.
  await Promise.race([wait((((number * 3) % 8) / 8) * moment.longest * slowness), ended])
  child.kill('SIGKILL')
  await ended
}

describe('a start with a new version that is killed at any moment', () => {
  it('leaves the old version or the new one with every RSVP, and the next start works', async () => {
    const place = testPlace()
    const previous = join(place, 'previous.db')
    const project = join(place, 'newer')
    makeNewerVersion(project)
    await openDatabase(`file:${previous}`)
    await closeDatabase()
    expect(await once(rsvp(previous, projectRoot, ['add', '--samples', String(PEOPLE)]), 'close')).toEqual([0, null])
    const old = contentOf(previous)
    const newest = join(place, 'newest.db')
    copyFileSync(previous, newest)
    expect(await once(rsvp(newest, project, ['migrate']), 'close')).toEqual([0, null])
    const updated = contentOf(newest)
    expect(updated.version).not.toBe(old.version)
    expect(updated.rows).toBe(old.rows)

    const found: Record<string, number> = {}
    async function round(number: number, slowness: number): Promise<void> {
      const folder = mkdtempSync(join(place, 'killed-'))
      const file = join(folder, 'rsvp.db')
      copyFileSync(previous, file)
      await startAndKill(number, folder, project, slowness)
      const left = readdirSync(folder)
      const { size: written } = statSync(`${file}-journal`, { throwIfNoEntry: false }) ?? { size: 0 }
      const { version, rows } = contentOf(file)
      expect([old.version, updated.version]).toContain(version)
      expect(rows).toBe(old.rows)
      for (const copy of left.filter((name) => isKept(name) && !name.endsWith('-journal'))) {
        expect(contentOf(join(folder, copy))).toEqual(old)
      }
      const isNew = version === updated.version
      if (isNew) expect(left.filter(isKept)).toHaveLength(1)
      const outcome = [
        isNew ? 'new' : 'old',
        left.some((name) => name.endsWith('.tmp')) ? 'while it was copied' : '',
        left.some(isKept) ? 'copied' : '',
        written > 0 ? 'in the midst of a write' : '',
      ].join(' ')
      found[outcome] = (found[outcome] ?? 0) + 1

      expect(await once(rsvp(file, project, ['migrate']), 'close')).toEqual([0, null])
      expect(contentOf(file)).toEqual(updated)
      rmSync(folder, { recursive: true })
    }
    const inTurn = pLimit(AT_ONCE)
    const missing = () => WANTED.filter((wanted) => !Object.keys(found).some((outcome) => wanted.test(outcome)))
    for (let batch = 0; batch === 0 || (missing().length > 0 && batch < BATCHES_MAXIMUM); batch += 1) {
      // What is missing is hit sooner or later: first later, on a slow machine, then sooner, on a quick one, and so on.
      const slowness = 4 ** (batch % 2 === 1 ? (batch + 1) / 2 : -batch / 2)
      await Promise.all(Array.from({ length: KILLS }, (_, number) => inTurn(() => round(number, slowness))))
    }
    // Otherwise nothing would have been killed in the midst of it.
    expect(missing()).toEqual([])
  })
})
