import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@libsql/client/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { closeDatabase, openedDatabase } from './client.ts'
import type { Connection } from './connection.ts'
import { listTables, quoteIdentifier } from './tables.ts'

const call = testCall()
const SNAPSHOTS = 2

/** Features that none of our tables uses yet. */
const odd = [
  'CREATE TABLE "an odd ""name" (a, `select` TEXT DEFAULT \'x\', c REAL, PRIMARY KEY (a, c))',
  'CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, "text" TEXT UNIQUE)',
  'CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES later(id))',
  'CREATE TABLE later (id INTEGER PRIMARY KEY)',
  "INSERT INTO \"an odd \"\"name\" VALUES (9223372036854775807, 'a;b''c\"d\n👩‍👩‍👧 é', 0.1), (-9223372036854775808, '', 1e308)",
  "INSERT INTO \"an odd \"\"name\" VALUES (x'00ff00', NULL, 5e-324), (NULL, '12', 1), (1.0, CAST(x'610062' AS TEXT), 2.5)",
  'INSERT INTO "an odd ""name" (rowid, a, c) VALUES (-7, 9007199254740993, 3)',
  "INSERT INTO counted VALUES (1, 'one'), (900, 'last'), (7, NULL)",
  'DELETE FROM counted WHERE id = 900',
  'INSERT INTO later VALUES (5)',
  'INSERT INTO child VALUES (1, 5), (2, NULL)',
  'CREATE INDEX by_text ON counted ("text") WHERE id > 5',
  'CREATE VIEW seen AS SELECT id FROM counted',
  'CREATE TRIGGER watching AFTER INSERT ON counted BEGIN INSERT INTO later VALUES (new.id); END',
]

/** Everything in a file, with integers too large for JavaScript, and the type of each value. */
function everythingIn(file: string) {
  const opened = new DatabaseSync(file, { readOnly: true, readBigInts: true })
  const schema = opened.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all()
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name))
  const rows = tables.map((name) => {
    const columns = opened.prepare('SELECT name FROM pragma_table_info(?)').all(name)
    const types = columns.map((column) => `typeof(${quoteIdentifier(String(column.name))})`)
    return [name, opened.prepare(`SELECT rowid AS place, *, ${types} FROM ${quoteIdentifier(name)} ORDER BY 1`).all()]
  })
  opened.close()
  return { schema, rows: Object.fromEntries(rows) }
}

describe('a copy of a libSQL server in a file', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  let place: ReturnType<typeof fileDatabase>
  const copy = (name: string) => join(place.folder, name)
  beforeAll(async () => {
    place = fileDatabase()
    server = await startLibsqlServer()
    await openDatabase(server.url)
  })
  afterAll(async () => {
    await closeDatabase()
    await server.stop()
    place.stop()
  })

  it('is private, and holds every value of every table unchanged, and all indexes, views and triggers', async () => {
    const statements = [...odd, "INSERT INTO family_members VALUES (999, 0, 'Lost child', NULL, 1, 0)"]
    const client = createClient({ url: server.url })
    // The copy has to contain orphaned rows as well.
    await client.migrate(statements)
    client.close()
    await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1, 2] }), call)
    await openedDatabase().copyTo(copy('copy.db'))
    expect(statSync(copy('copy.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(place.folder)).toEqual(['copy.db'])

    const original = new DatabaseSync(copy('original.db'), { enableForeignKeyConstraints: false })
    for (const statement of await schemaOf(openedDatabase())) original.exec(statement)
    for (const statement of odd) original.exec(statement)
    original.close()
    const expected = everythingIn(copy('original.db'))
    const found = everythingIn(copy('copy.db'))
    expect(found.schema).toEqual(expected.schema)
    for (const name of ['an odd "name', 'counted', 'child', 'later']) {
      expect(expected.rows[name].length).toBeGreaterThan(0)
      expect(found.rows[name]).toEqual(expected.rows[name])
    }
    expect(found.rows.family_members).toMatchObject([{ rsvp_id: 999n, name: 'Lost child' }, { name: 'Joel Cole' }])
    for (const { name } of await listTables(openedDatabase())) {
      const { rows } = await openedDatabase().read({ sql: `SELECT count(*) FROM ${quoteIdentifier(name)}`, args: [] })
      expect([name, found.rows[name].length]).toEqual([name, Number(rows[0]?.[0])])
    }
    expect(found.rows.sqlite_sequence).toContainEqual(expect.objectContaining({ name: 'counted', seq: 900n }))
  })

  it('is a consistent snapshot while RSVPs arrive', async () => {
    let isOver = false
    const visitor = async () => {
      while (!isOver) await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }), call)
    }
    const visitors = Array.from({ length: 2 }, visitor)
    for (let round = 1; round <= SNAPSHOTS; round++) {
      await openedDatabase().copyTo(copy(`${round}.db`))
      const opened = new DatabaseSync(copy(`${round}.db`))
      const { responses, last, whole } = opened
        .prepare(
          `SELECT count(*) AS responses, (SELECT seq FROM sqlite_sequence WHERE name = 'rsvps') AS last,
            count(*) FILTER (WHERE EXISTS (SELECT 1 FROM family_members WHERE rsvp_id = id)
              AND EXISTS (SELECT 1 FROM volunteer_signups WHERE rsvp_id = id)) AS whole FROM rsvps`,
        )
        .get() as Record<string, number>
      opened.close()
      expect({ last, whole }).toEqual({ last: responses, whole: responses })
    }
    isOver = true
    await Promise.all(visitors)
  })

  it('is removed when the server is lost during the copy', async () => {
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n`
    await openedDatabase().batch([{ sql: `INSERT INTO later ${rows}`, args: [] }])
    const copying = openedDatabase().copyTo(copy('lost.db'))
    const outcome = expect(copying).rejects.toMatchObject({ code: 'unavailable' })
    while (!existsSync(copy('lost.db')) || statSync(copy('lost.db')).size === 0) await new Promise(setImmediate)
    await server.kill()
    await outcome
    expect(readdirSync(place.folder).filter((name) => name.startsWith('lost'))).toEqual([])
    await server.start()
    await openedDatabase().copyTo(copy('lost.db'))
  })
})

/** The statements that create the site's tables, without the odd ones. */
async function schemaOf({ read }: Pick<Connection, 'read'>): Promise<string[]> {
  const { rows } = await read({
    sql: "SELECT sql FROM sqlite_master WHERE sql NOT LIKE '%sqlite_%' ORDER BY rowid",
    args: [],
  })
  return rows.map((row) => String(row[0])).filter((sql) => !odd.some((own) => own.slice(7, 25) === sql.slice(7, 25)))
}
