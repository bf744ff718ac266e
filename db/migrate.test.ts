import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeFile, fileDatabase, rowsIn } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '../scripts/testing/libsql-server.mjs'
import { openDatabase } from './open.ts'
import { closeDatabase, openedDatabase } from './storage/client.ts'
import { openLocal } from './storage/local.ts'
import { openRemote } from './storage/remote.ts'

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

it.each(Object.entries(databases))('a new database on %s is filled once, and not again', async (_, make) => {
  const { url, connection, stop } = await make()
  await connection.close()
  onTestFinished(async () => void (await stop()))
  const stored: unknown[] = []
  for (const otherVersion of [undefined, 'migrate'] as const) {
    await openDatabase(url, { otherVersion })
    const sql =
      'SELECT value, (SELECT group_concat(name) FROM features), (SELECT count(*) FROM volunteer_roles) FROM secrets'
    stored.push((await openedDatabase().read({ sql, args: [] })).rows.map((row) => Array.from(row)))
    await closeDatabase()
  }
  const row = [expect.stringMatching(/^[\da-f]{64}$/), 'calendarIntegration,familyRsvp,volunteerSignup', 6]
  expect(stored).toEqual([[row], stored[0]])
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

describe('a database is rejected, and not changed', () => {
  const foreign = 'This database belongs to another program. It was not changed. Check DATABASE_URL.'
  const newer = 'This database was written by a newer version. Update the site; the database was not changed.'

  it.each([
    ['another program', 'DROP TABLE __drizzle_migrations', foreign],
    ['other migrations', "UPDATE __drizzle_migrations SET hash = 'before ' || id, created_at = id", foreign],
    [
      'a newer version',
      `CREATE TABLE rides (name text);
      INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)`,
      newer,
    ],
  ])('that belongs to %s', async (_, change, message) => {
    const { folder, url, stop } = fileDatabase()
    onTestFinished(stop)
    const file = join(folder, 'rsvp.db')
    await openDatabase(url)
    await closeDatabase()
    expect(rowsIn(file, 'SELECT id FROM __drizzle_migrations')).not.toEqual([])
    changeFile(file, change)
    const before = readFileSync(file)
    for (const opening of [{}, { otherVersion: 'migrate' }, { otherVersion: 'migrate', serving: true }] as const)
      await expect(openDatabase(url, opening)).rejects.toMatchObject({ code: 'configuration', message })
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})
