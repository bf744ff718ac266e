import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { afterEach, describe, expect, it } from 'vitest'
import known from '#db/migrations/hashes.json' with { type: 'json' }
import { startLibsqlServer } from '../scripts/testing/libsql-server.mjs'
import { findSession } from './access/sessions.ts'
import { isGuarded } from './access/setup.ts'
import { signIn } from './access/sign-in.ts'
import { hashOfToken } from './access/tokens.ts'
import {
  addAdministrator,
  auditLines,
  changeFile,
  fileDatabase,
  rowsIn,
  testCall,
  testPassword,
  testPasswordHash,
  testPasswordOldHash,
  testStoredRsvp,
} from './fixtures.ts'
import { findDamage } from './health/operations.ts'
import { openDatabase } from './open.ts'
import { BEFORE_ADMINISTRATORS } from './previous-version-fixtures.ts'
import { getStatistics } from './rsvp/counts.ts'
import { deleteRsvp, restoreRsvp } from './rsvp/delete.ts'
import { listRsvps, responsesOf } from './rsvp/list.ts'
import { createRsvp } from './rsvp/submit.ts'
import { getSettings } from './settings/operations.ts'
import { closeDatabase, openedDatabase } from './storage/client.ts'
import type { Connection } from './storage/connection.ts'
import { openLocal } from './storage/local.ts'
import { openRemote } from './storage/remote.ts'

const call = testCall()

const migrations = readMigrationFiles({ migrationsFolder: join(import.meta.dirname, 'migrations') })

const journal = `CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)`
const rsvp = 'INSERT INTO rsvps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
const at = '2025-01-05T14:00:00.000Z'
const rows: [string, (string | number | null)[]][] = [
  [rsvp, [3, 'k3', 'Ana Cole', 'ana@cole.example', '555-0100', 'Hello\n👋', 1, 1, 'ical', at]],
  [rsvp, [5, 'k5', '김민수', 'Kim@cole.example', null, null, 0, 0, null, at]],
  ['INSERT INTO family_members VALUES (?, ?, ?, ?, ?)', [3, 0, 'Joel Cole', 'child', 1]],
  ['INSERT INTO family_members VALUES (?, ?, ?, ?, ?)', [3, 1, 'Dina Cole', null, 0]],
  ['INSERT INTO volunteer_signups VALUES (?, ?)', [3, 2]],
]

/** Makes the tables of the version that had so many migrations. */
async function fillPrevious(connection: Connection, version: number, rows: [string, (string | number | null)[]][]) {
  const statements = migrations
    .slice(0, version)
    .flatMap(({ sql, hash, folderMillis }) => [
      ...sql.map((text) => ({ sql: text, args: [] })),
      { sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', args: [hash, folderMillis] },
    ])
  await connection.batch([{ sql: journal, args: [] }, ...statements])
  await connection.batch(rows.map(([sql, args]) => ({ sql, args })))
  await connection.close()
}

const databases = {
  'a file': async () => {
    const database = fileDatabase()
    return { ...database, connection: await openLocal(database.url.slice('file:'.length), { mustExist: false }) }
  },
  'a libSQL server': async () => {
    const server = await startLibsqlServer()
    return { ...server, connection: openRemote(server.url, undefined) }
  },
}

describe('a database of the previous version', () => {
  let stop = async () => {}
  afterEach(() => stop())

  it.each(Object.entries(databases))('keeps every response on %s', async (_, make) => {
    const database = await make()
    stop = async () => {
      await closeDatabase()
      await database.stop()
    }
    // Before passwords existed.
    await fillPrevious(database.connection, 2, rows)
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^This database was written by an older version\. .+`rsvp migrate`/),
    })
    await openDatabase(database.url, { otherVersion: 'migrate' })

    const ana = testStoredRsvp(3, {
      phone: '555-0100',
      message: 'Hello\n👋',
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', age: null, attending: false },
      ],
      volunteerSignups: [{ role: { id: 2, name: 'Usher' } }],
    })
    const kim = testStoredRsvp(5, { name: '김민수', email: 'Kim@cole.example', attending: false })
    expect(responsesOf(await listRsvps({}, call))).toEqual([kim, ana])
    expect(responsesOf(await listRsvps({ email: 'kim@cole.example' }, call))).toEqual([kim])
    expect(await getStatistics({}, call)).toMatchObject({
      responses: { attending: 1, notAttending: 1 },
      people: { expected: 2, adults: 1, children: 1 },
    })

    const visitor = testCall({ role: 'visitor' })
    expect(JSON.parse(String((await listRsvps({}, visitor)).json))).toMatchObject([{ name: '김.' }, { name: 'A.' }])
    const kept = { publicNames: 'initial', retentionDays: null, publicUrl: null }
    expect(await getSettings(call)).toEqual({ ...kept, prayers: false, prayerDays: 30 })
    expect(await isGuarded(call)).toBe(false)
    expect(await auditLines()).toEqual([])
    expect(await findDamage(call)).toEqual([])

    await deleteRsvp({ id: '3' }, call)
    await restoreRsvp({ id: '3' }, call)
    expect(responsesOf(await listRsvps({}, call))).toEqual([kim, ana])
    expect((await createRsvp({ name: 'New One', email: 'a@b.co', attending: true }, call)).id).toBe(6)

    await closeDatabase()
    await openDatabase(database.url)
    expect(responsesOf(await listRsvps({}, call)).map(({ id }) => id)).toEqual([6, 5, 3])
  })
})

describe('a database of the version with one password', () => {
  const token = 'a'.repeat(43)
  const visitor = testCall({ role: 'visitor', actor: 'visitor' })
  const moment = call.now.getTime()
  const old: typeof rows = [
    [
      'INSERT INTO sessions (id, token_hash, created_at, used_at) VALUES (6, ?, ?, ?)',
      [hashOfToken(token), moment, moment],
    ],
    [
      'INSERT INTO audit_entries (at, actor, action, subject) VALUES (?, ?, ?, ?)',
      [at, 'session 6', 'response deleted', '3'],
    ],
  ]
  let stop = async () => {}
  afterEach(() => stop())

  async function moveOver(kind: string, password: typeof rows): Promise<void> {
    const database = await databases[kind as keyof typeof databases]()
    stop = async () => {
      await closeDatabase()
      await database.stop()
    }
    await fillPrevious(database.connection, BEFORE_ADMINISTRATORS, [...password, ...old])
    await openDatabase(database.url, { otherVersion: 'migrate' })
  }

  it.each([
    ['a file', 'today', testPasswordHash],
    ['a libSQL server', 'the first version', testPasswordOldHash],
  ])('on %s makes an owner of the password, hashed as in %s, whose sessions go on', async (kind, _, hash) => {
    await moveOver(kind, [['INSERT INTO passwords (hash) VALUES (?)', [hash]]])
    const reads = { seesContacts: false, prayers: 'none' }
    const administrator = { id: 1, name: 'Administrator', session: 6, provenAt: 0, ...reads }
    expect(await isGuarded(call)).toBe(true)
    expect(await findSession(token, call)).toEqual({ role: 'owner', administrator })
    await expect(signIn({ password: 'not the password' }, visitor)).rejects.toMatchObject({ code: 'unauthenticated' })
    const signedIn = await signIn({ password: testPassword }, visitor)
    expect(await findSession(signedIn.token, call)).toMatchObject({
      role: 'owner',
      administrator: { id: 1, session: 7 },
    })
    expect(await auditLines()).toEqual(['session 6: response deleted 3', 'visitor: signed in session 7'])
  })

  it('without a password stays open, and a session left over opens nothing once there is an owner', async () => {
    await moveOver('a file', [])
    expect(await isGuarded(call)).toBe(false)
    await addAdministrator()
    expect(await findSession(token, call)).toBeUndefined()
    expect(await auditLines()).toEqual(['session 6: response deleted 3'])
  })

  it('cannot be used by that version any more, which is told so: it would find no password and be open', async () => {
    await moveOver('a file', [])
    const { rows } = await openedDatabase().read({ sql: 'SELECT hash FROM additive_migrations', args: [] })
    const additive = rows.map((row) => String(row[0]))
    const since = migrations.slice(BEFORE_ADMINISTRATORS, BEFORE_ADMINISTRATORS + 2)
    expect(since.map(({ hash }) => additive.includes(hash))).toEqual([false, false])
  })
})

it('a libSQL server may hold tables of its own, and a file may not', async () => {
  const own = 'CREATE TABLE libsql_wasm_func_table (name text PRIMARY KEY, body text) WITHOUT ROWID'
  for (const [name, make] of Object.entries(databases)) {
    const { url, connection, stop } = await make()
    await connection.batch([{ sql: own, args: [] }])
    await connection.close()
    await openDatabase(url)
    await closeDatabase()
    const opened = openDatabase(url, { otherVersion: 'migrate' })
    if (name === 'a file') await expect(opened).rejects.toThrow(/table libsql_wasm_func_table/)
    else await opened
    await closeDatabase()
    await stop()
  }
})

describe('a database of a newer version', () => {
  const newer = (...statements: string[]) => `
    ALTER TABLE rsvps ADD needs_ride integer DEFAULT false NOT NULL;
    INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('added', 9999999999999);
    INSERT INTO additive_migrations (hash) VALUES ('added');
    ${statements.join(';')}`

  async function changed(sql: string) {
    const database = fileDatabase()
    await openDatabase(database.url)
    await closeDatabase()
    changeFile(join(database.folder, 'rsvp.db'), sql)
    return database
  }

  it('is used as it is where that has only added something', async () => {
    const database = await changed(newer())
    await openDatabase(database.url, { otherVersion: 'migrate' })
    const { id } = await createRsvp({ name: 'Ana Cole', email: 'a@b.co', attending: true }, call)
    expect(responsesOf(await listRsvps({}, call)).map((rsvp) => rsvp.id)).toEqual([id])
    await closeDatabase()
    expect(rowsIn(join(database.folder, 'rsvp.db'), 'SELECT needs_ride FROM rsvps')).toEqual([{ needs_ride: 0 }])
    database.stop()
  })

  it('gets the migrations that it lacks all the same', async () => {
    const tables = ['__drizzle_migrations', 'additive_migrations']
    const lacking = tables.map((table) => `DELETE FROM ${table} WHERE hash = '${known[19]?.hash}'`)
    const database = await changed(
      newer(...lacking, ...['contact', 'roles'].map((name) => `ALTER TABLE event_translations DROP COLUMN ${name}`)),
    )
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      message: expect.stringContaining('older version'),
    })
    await openDatabase(database.url, { otherVersion: 'migrate' })
    await closeDatabase()
    const migrations = '(SELECT count(*) FROM __drizzle_migrations)'
    const counts = `SELECT count(roles) AS roles, ${migrations} AS migrations FROM event_translations`
    expect(rowsIn(join(database.folder, 'rsvp.db'), counts)).toEqual([{ roles: 0, migrations: known.length + 1 }])
    database.stop()
  })

  it('is rejected as soon as one of its changes is another kind, and not changed', async () => {
    const another = "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('changed', 9999999999999)"
    const database = await changed(newer(another))
    const before = readFileSync(join(database.folder, 'rsvp.db'))
    await expect(openDatabase(database.url)).rejects.toMatchObject({
      message: expect.stringContaining('written by a newer version'),
    })
    expect(readFileSync(join(database.folder, 'rsvp.db')).equals(before)).toBe(true)
    database.stop()
  })

  it('says of its own migrations which have only added something', async () => {
    const database = await changed('')
    const additive = known.slice(18).flatMap((one) => (one.additive ? [{ hash: one.hash }] : []))
    expect(additive.length).toBeGreaterThan(0)
    expect(rowsIn(join(database.folder, 'rsvp.db'), 'SELECT hash FROM additive_migrations')).toEqual(additive)
    database.stop()
  })
})

it('a database of another program is rejected, and not changed', async () => {
  const database = fileDatabase()
  changeFile(join(database.folder, 'rsvp.db'), 'CREATE TABLE recipes (name)')
  const before = readFileSync(join(database.folder, 'rsvp.db'))
  await expect(openDatabase(database.url)).rejects.toMatchObject({
    message: 'This database belongs to another program and was not changed. Check DATABASE_URL.',
  })
  expect(readFileSync(join(database.folder, 'rsvp.db')).equals(before)).toBe(true)
  database.stop()
})
