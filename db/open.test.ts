import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rsvps } from '#db/tables/rsvp.ts'
import { fileForEachTest, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { makeNewer } from '#testing/newer-version-fixtures.ts'
import { openDatabase } from './open.ts'
import { listRsvps } from './rsvp/list.ts'
import { createRsvp } from './rsvp/submit.ts'
import { closeDatabase, db, openedDatabase } from './storage/client.ts'

// Some tests wait as long as a request waits for a missing database.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const database = fileForEachTest()
let file: string
beforeEach(() => {
  file = database.file
})

async function storedNames(): Promise<string[]> {
  return (await db.select({ name: rsvps.name }).from(rsvps)).map(({ name }) => name)
}

describe('openDatabase', () => {
  it('creates a missing folder and the file for this account only, and restricts one that others may read', async () => {
    const nested = join(database.folder, 'new', 'data')
    const path = join(nested, 'rsvp.db')
    await openDatabase(`file:${path}`)
    expect(statSync(nested).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await closeDatabase()
    // A restored file may be readable by others.
    chmodSync(path, 0o644)
    await openDatabase(`file:${path}`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('uses durable settings: TRUNCATE, FULL, and foreign keys on', async () => {
    await openDatabase(database.url)
    const sql =
      'SELECT journal_mode, synchronous, foreign_keys FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys'
    const { rows } = await openedDatabase().read({ sql, args: [] })
    expect(rows.map((row) => Array.from(row))).toEqual([['truncate', 2, 1]])
  })

  it('creates no empty file in place of one that was removed', async () => {
    await openDatabase(database.url)
    await createRsvp(testRsvp(), testCall())
    renameSync(file, `${file}.away`)
    await expect(createRsvp(testRsvp(), testCall())).rejects.toMatchObject({ code: 'unavailable' })
    await expect(createRsvp(testRsvp(), testCall())).rejects.toMatchObject({ code: 'unavailable' })
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}.away`, file)
    await createRsvp(testRsvp(), testCall())
    expect(await db.$count(rsvps)).toBe(2)
  })

  it('continues with a file that replaces its own, and never writes into the old one', async () => {
    await openDatabase(database.url)
    await createRsvp(testRsvp({ name: 'Ana Cole' }), testCall())
    copyFileSync(file, `${file}.copy`)
    await createRsvp(testRsvp({ name: 'Only Here' }), testCall())
    renameSync(file, `${file}.old`)
    renameSync(`${file}.copy`, file)
    await vi.waitFor(async () => expect(await storedNames()).toEqual(['Ana Cole']))
    expect(await createRsvp(testRsvp({ name: 'Ben Cole' }), testCall())).toMatchObject({ id: 2 })
    expect(await storedNames()).toEqual(['Ana Cole', 'Ben Cole'])
    await closeDatabase()
    await openDatabase(`file:${file}.old`)
    expect(await storedNames()).toEqual(['Ana Cole', 'Only Here'])
  })

  it('rejects a replacement of another version, and recovers with the right file', async () => {
    await openDatabase(database.url)
    copyFileSync(file, `${file}.copy`)
    makeNewer(`${file}.copy`)
    renameSync(file, `${file}.away`)
    renameSync(`${file}.copy`, file)
    const refused = { code: 'unavailable', message: expect.stringContaining('another version') }
    await expect(createRsvp(testRsvp(), testCall())).rejects.toMatchObject(refused)
    await expect(listRsvps({}, testCall())).rejects.toMatchObject(refused)
    renameSync(`${file}.away`, file)
    await createRsvp(testRsvp(), testCall())
    expect(await storedNames()).toEqual(['Ana Cole'])
  })

  it('removes abandoned copies when a site serves from it', async () => {
    const [old, fresh] = [randomUUID(), randomUUID()].map(
      (id) => `${database.folder}/.rsvp.db.before-update.rsvp-${id}.tmp`,
    )
    for (const name of [old, fresh]) writeFileSync(String(name), '')
    const long = new Date(Date.now() - 2 * 3600 * 1000)
    utimesSync(String(old), long, long)
    utimesSync(String(fresh), new Date(), new Date())
    await openDatabase(database.url)
    await closeDatabase()
    await openDatabase(database.url, { serving: true })
    expect([existsSync(String(old)), existsSync(String(fresh))]).toEqual([false, true])
  })

  it('rejects a damaged file when a site serves from it', async () => {
    await openDatabase(database.url, { serving: true })
    await createRsvp(testRsvp({ message: 'x'.repeat(1500) }), testCall())
    await closeDatabase()
    const bytes = readFileSync(file)
    const end = bytes.indexOf('x'.repeat(1500))
    // Damages only one page, from its start.
    const damaged = Buffer.from(bytes).fill(255, end - (end % 4096), end)
    writeFileSync(file, damaged)
    const backups = join(database.folder, 'my backups')
    mkdirSync(backups)
    const newest = join(backups, 'rsvp-2025-01-05T14-00-00.000Z.db')
    writeFileSync(newest, '')
    await expect(openDatabase(database.url, { serving: true, backupFolder: backups })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(`damaged.+Nothing was changed.+npx rsvp backup restore '${newest}'$`),
    })
    expect(readFileSync(file).equals(damaged)).toBe(true)
  })

  it('rejects a folder, and a file that is not a database, and leaves it unchanged', async () => {
    const refused = (message: unknown) => ({ code: 'configuration', message })
    const folder = `${database.folder} is not a file. Check DATABASE_URL.`
    await expect(openDatabase(`file:${database.folder}`)).rejects.toMatchObject(refused(folder))
    writeFileSync(file, 'Dear congregation, '.repeat(100))
    await expect(openDatabase(database.url)).rejects.toMatchObject(refused(expect.stringContaining(file)))
    expect(readFileSync(file, 'utf8')).toBe('Dear congregation, '.repeat(100))
  })

  it('names a libSQL server that cannot be reached', async () => {
    const refused = { code: 'unavailable', message: expect.stringContaining('http://127.0.0.1:9') }
    await expect(openDatabase('http://127.0.0.1:9')).rejects.toMatchObject(refused)
  })

  it.each([
    ['a site serves from it', { serving: true, otherVersion: 'migrate' }],
    ['it may be new', {}],
  ] as const)('rejects an empty file where %s, and leaves it empty', async (_, opening) => {
    const newest = join(database.folder, 'backups', 'rsvp-2025-01-04T02-30-00.000Z.db')
    mkdirSync(join(database.folder, 'backups'))
    for (const path of [file, newest]) writeFileSync(path, '', { mode: 0o644 })
    const backupFolder = join(database.folder, 'backups')
    await expect(openDatabase(database.url, { ...opening, backupFolder })).rejects.toMatchObject({
      code: 'configuration',
      message: `${file} is damaged (it is empty). Nothing was changed. Restore a backup: npx rsvp backup restore ${newest}`,
    })
    expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([0, 0o644])
    expect(readdirSync(database.folder).sort()).toEqual(['backups', 'rsvp.db'])
  })
})
