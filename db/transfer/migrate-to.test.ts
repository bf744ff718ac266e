import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { closeDatabase, openedDatabase } from '#db/storage/client.ts'
import { type Fault, startFaultyNetwork } from '#db/storage/faulty-network-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { everythingInFile, everythingOn, fillEverything } from './fixtures.ts'
import { migrateTo, type Watcher } from './migrate-to.ts'

const nobody: Watcher = { begin: () => {}, done: () => {} }
const never = new AbortController().signal
const faults: Fault[] = [
  'the connection is cut before the server has it',
  'the answer is lost',
  'the answer is cut off',
]

describe('migrateTo', () => {
  let place: ReturnType<typeof fileDatabase>
  let file: string
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  const migrate = (url = server.url, signal = never, watcher = nobody) =>
    migrateTo({ file, url, authToken: undefined, force: false }, watcher, signal)

  beforeAll(async () => {
    place = fileDatabase()
    file = join(place.folder, 'rsvp.db')
    await openDatabase(place.url)
    await fillEverything()
    // A later version may have tables that nobody thought of here.
    await openedDatabase().write(
      [
        'CREATE TABLE "of later" (id INTEGER PRIMARY KEY AUTOINCREMENT, "a b" TEXT UNIQUE, part REAL, picture BLOB)',
        "INSERT INTO \"of later\" VALUES (1, 'ü;''', 0.1, x'00ff'), (40, NULL, -1e300, NULL)",
        'DELETE FROM "of later" WHERE id = 40',
        'CREATE INDEX "by part" ON "of later" (part)',
        'CREATE TRIGGER watching AFTER INSERT ON "of later" BEGIN DELETE FROM health_checks; END',
      ].map((sql) => ({ sql, args: [] })),
    )
  })
  beforeEach(async () => {
    server = await startLibsqlServer()
  })
  afterEach(() => server.stop())
  afterAll(async () => {
    await closeDatabase()
    place.stop()
  })

  it('brings every table as it is, and says how many rows each has', async () => {
    const before = await everythingInFile(file)
    for (const [table, rows] of Object.entries(before)) expect([table, rows.length]).not.toEqual([table, 0])
    const { schema: _, ...tables } = before
    const counts = Object.entries(tables).map(([name, rows]) => [name, rows.length])
    expect(await migrate()).toEqual(Object.fromEntries(counts))
    expect(await everythingOn(server.url)).toEqual(before)
    expect(await everythingInFile(file)).toEqual(before)
  })

  it('takes the place of a site that nobody has used', async () => {
    await inDatabaseOf(server.url, async () => {})
    await migrate()
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
  })

  it.each(faults)('brings it once where at many requests %s', async (fault) => {
    const network = await startFaultyNetwork(server.url)
    network.plan(fault, /CREATE TABLE arriving /, 2)
    for (const table of ['rsvps', 'family_members', 'audit_entries']) {
      network.plan(fault, new RegExp(`INTO .{1,2}arriving_${table}`), 2)
      network.plan(fault, new RegExp(`FROM .{1,2}arriving_${table}.*LIMIT`), 2)
    }
    await migrate(network.url)
    expect(network.left()).toBe(0)
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
    await network.stop()
  })

  it('knows that the last step was done, though its answer was lost', async () => {
    const network = await startFaultyNetwork(server.url)
    network.plan('the answer is lost', /DROP TABLE arriving"/, 2)
    await migrate(network.url)
    expect(network.left()).toBe(0)
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
    await network.stop()
  })

  it.each([
    [
      'a response',
      "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at) VALUES ('k','A','a@b.co',1,0,'')",
    ],
    ['a line in the audit', "INSERT INTO audit_entries (at, actor, action, subject) VALUES ('', '', '', '')"],
    ['a password', "INSERT INTO passwords (hash) VALUES ('')"],
    ['a table of somebody else', 'CREATE TABLE other (a)'],
  ])('refuses a server with %s, and changes nothing there', async (_, sql) => {
    await inDatabaseOf(server.url, async () => {})
    const client = createClient({ url: server.url })
    await client.batch([sql], 'write')
    const before = await everythingOn(server.url)
    await expect(migrate()).rejects.toMatchObject({ code: 'already-exists', message: expect.stringMatching(/\.$/) })
    expect(await everythingOn(server.url)).toEqual(before)
    client.close()
  })

  it('refuses where somebody answers on the server meanwhile, and takes nothing from him', async () => {
    await inDatabaseOf(server.url, async () => {})
    const client = createClient({ url: server.url })
    const answer =
      "INSERT INTO rsvps (key, name, email, attending, add_to_calendar, created_at) VALUES ('k','A','a@b.co',1,0,'')"
    let answered: Promise<unknown> | undefined
    const watcher = { begin: () => {}, done: () => (answered ??= client.batch([answer], 'write')) }
    await expect(migrate(server.url, never, watcher)).rejects.toMatchObject({ code: 'already-exists' })
    await answered
    expect((await everythingOn(server.url)).rsvps).toEqual([expect.stringContaining('a@b.co')])
    client.close()
    await expectUsable()
  })

  it('lets a server be used that somebody used after it was interrupted there', async () => {
    await inDatabaseOf(server.url, async () => {})
    const stopped = new AbortController()
    const watcher = { begin: () => {}, done: () => stopped.abort(new Error('stopped')) }
    await expect(migrate(server.url, stopped.signal, watcher)).rejects.toThrow('stopped')
    const client = createClient({ url: server.url })
    await client.batch(["INSERT INTO audit_entries (at, actor, action, subject) VALUES ('', '', '', '')"], 'write')
    client.close()
    await expect(migrate()).rejects.toMatchObject({ code: 'already-exists' })
    await expectUsable()
  })

  it('leaves to others a table of theirs that is called like its own', async () => {
    const client = createClient({ url: server.url })
    await client.batch(['CREATE TABLE arriving (train TEXT)', 'CREATE TABLE departing (train TEXT)'], 'write')
    await expect(migrate()).rejects.toMatchObject({ code: 'already-exists' })
    expect(Object.keys(await everythingOn(server.url))).toEqual(['schema', 'arriving', 'departing'])
    client.close()
  })

  it('finds what has arrived differently, and shows nothing of it', async () => {
    const client = createClient({ url: server.url })
    const watcher = {
      begin: async (step: string) => {
        if (step === 'compare') await client.batch(["UPDATE arriving_events SET title = 'x'"], 'write')
      },
      done: () => {},
    }
    await expect(migrate(server.url, never, watcher)).rejects.toMatchObject({
      message: expect.stringMatching(/events.*Run it again/),
    })
    expect(Object.keys(await everythingOn(server.url))).not.toContain('rsvps')
    client.close()
  })

  it('lets no site start on what is not complete, and begins anew after it', async () => {
    const stopped = new AbortController()
    const watcher = {
      begin: (step: string) => void (step === 'compare' && stopped.abort(new Error('stopped'))),
      done: () => {},
    }
    await expect(migrate(server.url, stopped.signal, watcher)).rejects.toThrow('stopped')
    await closeDatabase()
    await expect(openDatabase(server.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('rsvp migrate-to'),
    })
    await openDatabase(place.url)
    await migrate()
    expect(await everythingOn(server.url)).toEqual(await everythingInFile(file))
  })

  it('goes on with the numbers that were given', async () => {
    await migrate()
    await inDatabaseOf(server.url, async () => {
      expect(await createRsvp(testRsvp(), testCall())).toEqual({ id: 5 })
    })
  })

  /** A site starts on the server, and nothing lies there that was on its way. */
  async function expectUsable(): Promise<void> {
    await inDatabaseOf(server.url, async () => {})
    expect(Object.keys(await everythingOn(server.url)).filter((name) => name.startsWith('arriving'))).toEqual([])
  }

  /** Opens another database for a moment. */
  async function inDatabaseOf(url: string, use: () => Promise<void>): Promise<void> {
    await closeDatabase()
    await openDatabase(url)
    await use()
    await closeDatabase()
    await openDatabase(place.url)
  }
})
