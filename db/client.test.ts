import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, db, openDatabase } from './client.ts'
import { fileDatabase, testCall, testRsvp } from './fixtures.ts'
import { createRsvp, listRsvps } from './rsvp/operations.ts'
import { rsvps } from './rsvp/table.ts'

let database: ReturnType<typeof fileDatabase>
let file: string

beforeEach(() => {
  database = fileDatabase()
  file = join(database.folder, 'rsvp.db')
})
afterEach(async () => {
  await closeDatabase()
  database.stop()
})

describe('openDatabase', () => {
  it('makes a missing folder and the file for this account only', async () => {
    const nested = join(database.folder, 'new', 'data')
    await openDatabase(`file:${nested}/rsvp.db`)
    expect(statSync(nested).mode & 0o777).toBe(0o700)
    expect(statSync(join(nested, 'rsvp.db')).mode & 0o777).toBe(0o600)
  })

  it('stores so that a power cut takes nothing: TRUNCATE, FULL, and foreign keys held', async () => {
    await openDatabase(database.url)
    const settings = await db.all(
      'SELECT journal_mode, synchronous, foreign_keys FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys',
    )
    expect(settings).toEqual([['truncate', 2, 1]])
  })

  it('keeps what was stored over a restart, and seeds only once', async () => {
    await openDatabase(database.url)
    await createRsvp(testRsvp(), testCall())
    await closeDatabase()
    await openDatabase(database.url)
    expect(await db.select({ name: rsvps.name }).from(rsvps)).toEqual([{ name: 'Ana Cole' }])
  })

  it('takes the rights of others from a file that was brought back', async () => {
    await openDatabase(database.url)
    await closeDatabase()
    chmodSync(file, 0o644)
    await openDatabase(database.url)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('makes no empty file in place of one that was taken away', async () => {
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

  it('refuses a folder in place of the file', async () => {
    mkdirSync(file)
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(file),
    })
  })

  it('refuses a file that is no database, and leaves it as it was', async () => {
    writeFileSync(file, 'Dear congregation, '.repeat(100))
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(file),
    })
    expect(readFileSync(file, 'utf8')).toBe('Dear congregation, '.repeat(100))
  })

  it('refuses a database of a newer version, and leaves it as it was', async () => {
    await openDatabase(database.url)
    await closeDatabase()
    const newer = new DatabaseSync(file)
    newer.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', 9999999999999)")
    newer.close()
    const before = readFileSync(file)
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('newer version'),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('says that a libSQL server does not answer', { timeout: 10_000 }, async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    await expect(openDatabase(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'unavailable' })
    silent.close()
  })

  it('says that a libSQL server cannot be reached', async () => {
    await expect(openDatabase('http://127.0.0.1:9')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('http://127.0.0.1:9'),
    })
  })
})

describe('the two doors', () => {
  const row = {
    name: 'Ana',
    email: 'a@b.co',
    attending: true,
    addToCalendar: false,
    createdAt: '2025-01-05T14:00:00.000Z',
  }

  beforeEach(() => openDatabase(database.url))

  it('refuse a write that is awaited by itself, and a transaction', async () => {
    const alone = db.insert(rsvps).values({ ...row, key: 'alone' })
    const withQuery = db.with(db.$with('all').as(db.select().from(rsvps))).delete(rsvps)
    await expect(withQuery).rejects.toMatchObject({ cause: { message: expect.stringContaining('db.batch') } })
    await expect(alone).rejects.toMatchObject({ cause: { message: expect.stringContaining('db.batch') } })
    await expect(db.transaction(async () => {})).rejects.toMatchObject({
      cause: { message: expect.stringContaining('db.batch') },
    })
    expect(await db.$count(rsvps)).toBe(0)
  })

  it('store all of a batch or nothing', async () => {
    const twice = db.insert(rsvps).values({ ...row, key: 'twice' })
    await expect(db.batch([twice, twice])).rejects.toThrow('The database refused a statement (SQLITE_CONSTRAINT')
    expect(await db.$count(rsvps)).toBe(0)
  })

  it('do not let one bad write take its neighbours down', async () => {
    const write = (key: string) => db.batch([db.insert(rsvps).values({ ...row, key })])
    const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c', 'b', 'd'].map(write))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await db.$count(rsvps)).toBe(4)
  })

  it('give operations their own error, not one that quotes the statement', async () => {
    await closeDatabase()
    const failed = listRsvps({ before: '424242' }, testCall())
    await expect(failed).rejects.toThrow(/^Call openDatabase\(\) first\.$/)
  })

  it('never quote what somebody typed in an error', async () => {
    const write = () => db.batch([db.insert(rsvps).values({ ...row, key: 'k', message: 'a prayer request' })])
    await write()
    const error = await write().catch((reason: unknown) => reason)
    expect(String(error) + JSON.stringify(error)).not.toContain('prayer')
  })
})
