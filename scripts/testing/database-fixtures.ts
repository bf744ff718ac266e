import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import type { Call, SignedInAdministrator } from '#db/call.ts'
import type { administrators } from '#db/tables/access.ts'
import type { rsvps } from '#db/tables/rsvp.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import type { EventPayload } from '#db/values/event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import type { RsvpInput, StoredRsvp } from '#db/values/rsvp.ts'
import { leastRsvp } from '#db/values/rsvp-fixtures.ts'
import { startLibsqlServer } from './libsql-server.mjs'

/** A valid response as a visitor sends it; override what the test is about. */
export function testRsvp(changes: Record<string, unknown> = {}): Partial<RsvpInput> {
  return { name: 'Ana Cole', email: 'ana@cole.example', attending: true, ...changes }
}

/** A stored response with required fields only; override what the test is about. */
export function testStoredRsvp(id: number, changes: Partial<StoredRsvp> = {}): StoredRsvp {
  return { ...leastRsvp, id, ...changes }
}

export function testEvent(changes: Partial<EventPayload> = {}): EventPayload {
  return { ...toPayload(defaultEvent), ...changes }
}

/** An administrator's call at a fixed moment. */
export function testCall(changes: Partial<Call> = {}): Call {
  return { now: new Date('2025-01-05T14:00:00.000Z'), role: 'owner', actor: 'terminal', ...changes }
}

/** A password and its hash, made with another program and as cheap as all that a test makes. */
export const testPassword = 'three words in a row'
export const testPasswordHash =
  '$scrypt$ln=8,r=8,p=1$YSBzYWx0IG9mIDE2IEIgIQ$Z6d6RrydG7ev3lDjVP9rH/W88d/P86cNJZYk/XOiBZ4'
/** The same at the cost of the product. */
export const testPasswordExpensiveHash =
  '$scrypt$ln=17,r=8,p=1$YSBzYWx0IG9mIDE2IEIgIQ$HXpxqf+WhCO+T9uQ6y18DYPc7N7uWqM4XLXbCj8yhkQ'

/** Stores an owner who has accepted the invitation; override what the test is about. Returns the id. */
export async function addAdministrator(changes: Partial<typeof administrators.$inferInsert> = {}): Promise<number> {
  const [{ transaction }, { administrators }] = await Promise.all([
    import('#db/storage/client.ts'),
    import('#db/tables/access.ts'),
  ])
  const stored = { name: 'Ruth Cole', email: 'ruth@cole.example', role: 'owner' as const, createdAt: 0 }
  const [added] = await transaction((tx) =>
    tx
      .insert(administrators)
      .values({ ...stored, passwordHash: testPasswordHash, ...changes })
      .returning({ id: administrators.id }),
  )
  return added?.id ?? 0
}

/** A call of a person who has just signed in with this id; override what the test is about, of the call and of `own`. */
export function callOf(id: number, changes: Partial<Call> = {}, own: Partial<SignedInAdministrator> = {}): Call {
  const call = testCall({ actor: 'session 7', ...changes })
  const signedIn = {
    id,
    name: 'Ruth Cole',
    session: 7,
    provenAt: call.now.getTime(),
    seesContacts: false,
    prayers: 'none' as const,
  }
  return { administrator: { ...signedIn, ...own }, ...call }
}

/** Stores responses with these columns, faster than sending them. */
export async function storeRows(rows: Partial<typeof rsvps.$inferInsert>[]): Promise<void> {
  const [{ transaction }, table] = await Promise.all([import('#db/storage/client.ts'), import('#db/tables/rsvp.ts')])
  const { name, email, attending, addToCalendar, createdAt, serviceDate } = leastRsvp
  const least = { name, email, attending, addToCalendar, createdAt, serviceDate }
  const whole = rows.map((row) => ({ key: randomUUID(), ...least, ...row }))
  await transaction((tx) => tx.insert(table.rsvps).values(whole))
}

/** Deletes every row of these tables. */
export async function emptyTables(...tables: SQLiteTable[]): Promise<void> {
  const { transaction } = await import('#db/storage/client.ts')
  await transaction((tx) => Promise.all(tables.map((table) => tx.delete(table))))
}

/** The lines of the audit as `actor: action subject`, the oldest first. */
export async function auditLines(): Promise<string[]> {
  const { auditEntries } = await import('#db/tables/access.ts')
  const { db } = await import('#db/storage/client.ts')
  const entries = await db.select().from(auditEntries).orderBy(auditEntries.id)
  return entries.map(({ actor, action, subject }) => `${actor}: ${action} ${subject}`.trimEnd())
}

/** Every row of every table, as JSON: to search for what must not be stored. */
export async function everyRow(): Promise<string> {
  const { openedDatabase } = await import('#db/storage/client.ts')
  const readAll = async (sql: string) =>
    (await openedDatabase().read({ sql, args: [] })).rows.map((row) => Array.from(row))
  const tables = await readAll("SELECT name FROM sqlite_master WHERE type = 'table'")
  const rows = await Promise.all(tables.map(([name]) => readAll(`SELECT '${name}', * FROM "${name}"`)))
  return JSON.stringify(rows)
}

/** Creates an empty database, also while another one is open. */
export async function createDatabaseFile(file: string): Promise<void> {
  const { openLocal } = await import('#db/storage/local.ts')
  const { migrate } = await import('#db/migrate.ts')
  const connection = await openLocal(file, { mustExist: false })
  await migrate(connection)
  await connection.accept()
  await connection.close()
}

type TestDatabase = { url: string; stop: () => Promise<void> | void }

/** Runs the tests on an empty file, and in `npm run test:long` on an empty libSQL server as well. */
export function describeOnBothDatabases(unit: string, tests: () => void): void {
  const onServer = process.env.SWEEP === 'whole' ? { 'a libSQL server': startLibsqlServer } : {}
  const kinds = { 'a file': fileDatabase, ...onServer }
  for (const [kind, start] of Object.entries(kinds)) {
    describe(`${unit} on ${kind}`, () => {
      let database: TestDatabase
      beforeAll(async () => {
        database = await start()
        await open(database.url)
      })
      afterAll(async () => {
        await close()
        await database.stop()
      })
      tests()
    })
  }
}

/** Opens a database before the tests of a file and closes it after them: without a `url` an empty file of their own. */
export function openForTests(url?: string): void {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = url === undefined ? fileDatabase() : undefined
    await open(database?.url ?? url ?? '')
  })
  afterAll(async () => {
    await close()
    await database?.stop()
  })
}

/**
 * A database file for each test. What is open after the test is closed.
 * @param fill fills an open one, which each test gets a copy of; without it the file does not exist yet.
 */
export function fileForEachTest(fill?: () => Promise<unknown>) {
  const place = { folder: '', url: '', file: '' }
  const made: ReturnType<typeof fileDatabase>[] = []
  function make() {
    const database = fileDatabase()
    Object.assign(place, { folder: database.folder, url: database.url, file: join(database.folder, 'rsvp.db') })
    made.push(database)
  }
  beforeAll(async () => {
    if (fill === undefined) return
    make()
    await open(place.url)
    await fill()
    await close()
  })
  beforeEach(() => {
    make()
    if (fill !== undefined) cpSync(made[0]?.folder ?? '', place.folder, { recursive: true })
  })
  afterEach(close)
  afterAll(() => {
    for (const { stop } of made) stop()
  })
  return place
}

/** Runs statements in a file that is not open, with another SQLite than ours. */
export function changeFile(file: string, sql: string): void {
  const opened = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  opened.exec(sql)
  opened.close()
}

/** The rows that a query finds in a file that is not open. */
export function rowsIn(file: string, sql: string): unknown[] {
  const opened = new DatabaseSync(file, { readOnly: true })
  const rows = opened.prepare(sql).all()
  opened.close()
  return rows
}

/** What an operation refuses because of one of its fields. */
export function invalidAt(path: string) {
  return { code: 'invalid', fields: [expect.objectContaining({ path })] }
}

// Most tests that import this file want a sample and no database: loading one takes longer than such a test.
async function open(url: string): Promise<void> {
  const { openDatabase } = await import('#db/open.ts')
  await openDatabase(url)
}

async function close(): Promise<void> {
  const { closeDatabase } = await import('#db/storage/client.ts')
  await closeDatabase()
}

/** The address of a database file that does not exist yet, in a folder of its own. */
export function fileDatabase(): { folder: string; url: string; stop: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-db-'))
  return {
    folder,
    url: `file:${join(folder, 'rsvp.db')}`,
    stop: () => rmSync(folder, { recursive: true, force: true }),
  }
}
