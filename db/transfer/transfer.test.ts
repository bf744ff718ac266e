import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordAct } from '#db/audit/operations.ts'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, openedDatabase } from '#db/storage/client.ts'
import { type Fault, startFaultyNetwork } from '#db/storage/faulty-network-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { everythingInFile, everythingOn, fillEverything } from './fixtures.ts'
import { transferTo } from './transfer.ts'

const silent: Parameters<typeof transferTo>[1] = { begin: () => {}, done: () => {} }
const never = new AbortController().signal
const faults: Fault[] = ['the connection breaks before the server has it', 'the reply is lost']

describe('transferTo', () => {
  let place: ReturnType<typeof fileDatabase>
  let file: string
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  const migrate = (url = server.url, signal = never, progress = silent) =>
    transferTo({ file, url, authToken: undefined, force: false }, progress, signal)

  beforeAll(async () => {
    server = await startLibsqlServer()
    place = fileDatabase()
    file = join(place.folder, 'rsvp.db')
    await openDatabase(place.url)
    await fillEverything()
    // A later version may have tables unknown to this one.
    const statements = [
      'CREATE TABLE "of later" (id INTEGER PRIMARY KEY AUTOINCREMENT, "a b" TEXT UNIQUE, part REAL, picture BLOB)',
      "INSERT INTO \"of later\" VALUES (1, 'ü;''', 0.1, x'00ff'), (40, NULL, -1e300, NULL)",
      // As large as a picture of the church.
      'INSERT INTO "of later" VALUES (2, NULL, 0, randomblob(200000))',
      'DELETE FROM "of later" WHERE id = 40',
      'CREATE INDEX "by part" ON "of later" (part)',
      'CREATE TRIGGER watching AFTER INSERT ON "of later" BEGIN DELETE FROM health_checks; END',
    ].map((sql) => ({ sql, args: [] }))
    await openedDatabase().batch(statements)
  })
  afterEach(async () => {
    const client = createClient({ url: server.url })
    const { rows } = await client.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    await client.migrate(rows.map(({ type, name }) => `DROP ${type} IF EXISTS "${name}"`))
    client.close()
  })
  afterAll(async () => {
    await closeDatabase()
    await server.stop()
    place.stop()
  })

  it('replaces the tables of an unused site by every table unchanged, and returns how many rows each has', async () => {
    await inDatabaseOf(server.url, () => recordAct({ action: 'code made' }, testCall()))
    const before = await everythingInFile(file)
    for (const [table, rows] of Object.entries(before)) expect([table, rows.length]).not.toEqual([table, 0])
    const { schema: _, ...tables } = before
    const counts = Object.entries(tables).map(([name, rows]) => [name, rows.length])
    expect(await migrate()).toEqual(Object.fromEntries(counts))
    expect(await everythingOn(server.url)).toEqual(before)
    expect(await everythingInFile(file)).toEqual(before)
    await inDatabaseOf(server.url, async () => {
      expect(await createRsvp(testRsvp(), testCall())).toMatchObject({ id: 12 })
    })
  })

  it.each(faults)('copies each row once if at many requests %s', async (fault) => {
    const network = await startFaultyNetwork(server.url)
    network.plan(fault, /CREATE TABLE arriving /, 2)
    // Then the server has committed already.
    if (fault === 'the reply is lost') network.plan(fault, /DROP TABLE arriving"/, 2)
    for (const table of ['rsvps', 'family_members', 'audit_entries']) {
      network.plan(fault, new RegExp(`INTO .{1,2}arriving_${table}`), 2)
      network.plan(fault, new RegExp(`FROM .{1,2}arriving_${table}.*LIMIT`), 2)
    }
    await migrate(network.url)
    expect(network.left()).toBe(0)
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
    await network.stop()
  })

  it.each([
    ['an administrator', "INSERT INTO administrators (name, role, created_at) VALUES ('', 'owner', 0)"],
    ['a table of another program', 'CREATE TABLE other (a)'],
  ])('rejects a server with %s, and changes nothing there', async (_, sql) => {
    await inDatabaseOf(server.url, async () => {})
    const client = createClient({ url: server.url })
    await client.batch([sql], 'write')
    const before = await everythingOn(server.url)
    await expect(migrate()).rejects.toMatchObject({ code: 'already-exists', message: expect.stringMatching(/\.$/) })
    expect(await everythingOn(server.url)).toEqual(before)
    client.close()
  })

  it('fails if an RSVP arrives on the server meanwhile, and keeps that RSVP', async () => {
    await inDatabaseOf(server.url, async () => {})
    const client = createClient({ url: server.url })
    const rsvp =
      "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at) VALUES ('k','A','a@b.co',1,0,'')"
    let stored: Promise<unknown> | undefined
    const progress = { begin: () => {}, done: () => (stored ??= client.batch([rsvp], 'write')) }
    await expect(migrate(server.url, never, progress)).rejects.toMatchObject({ code: 'already-exists' })
    await stored
    expect((await everythingOn(server.url)).rsvps).toEqual([expect.stringContaining('a@b.co')])
    client.close()
    await expectUsable()
  })

  it('detects a staged row that differs, and commits nothing', async () => {
    const client = createClient({ url: server.url })
    const progress = {
      begin: async (step: string) => {
        if (step === 'compare') await client.batch(["UPDATE arriving_events SET title = 'x'"], 'write')
      },
      done: () => {},
    }
    await expect(migrate(server.url, never, progress)).rejects.toMatchObject({
      message: expect.stringMatching(/events.*run the command again/),
    })
    expect(Object.keys(await everythingOn(server.url))).not.toContain('rsvps')
    client.close()
  })

  it('keeps sites from starting on an incomplete copy, and can run again', async () => {
    const stopped = new AbortController()
    const progress = {
      begin: (step: string) => void (step === 'compare' && stopped.abort(new Error('stopped'))),
      done: () => {},
    }
    await expect(migrate(server.url, stopped.signal, progress)).rejects.toThrow('stopped')
    await closeDatabase()
    await expect(openDatabase(server.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('rsvp transfer'),
    })
    await openDatabase(place.url)
    await migrate()
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
  })

  /** A site starts on the server, and no staging tables are left. */
  async function expectUsable(): Promise<void> {
    await inDatabaseOf(server.url, async () => {})
    expect(Object.keys(await everythingOn(server.url)).filter((name) => name.startsWith('arriving'))).toEqual([])
  }

  /** Runs something with another database open. */
  async function inDatabaseOf(url: string, use: () => Promise<void>): Promise<void> {
    await closeDatabase()
    await openDatabase(url)
    await use()
    await closeDatabase()
    await openDatabase(place.url)
  }
})
