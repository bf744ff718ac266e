import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { fileDatabase, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { everythingInFile, everythingOn } from '#testing/full-database-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { closeDatabase, openedDatabase } from './client.ts'

const call = testCall()
const SNAPSHOTS = 2

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

  it('is a consistent snapshot while RSVPs arrive', async () => {
    let isOver = false
    const visitor = async () => {
      while (!isOver) await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }), call)
    }
    await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }), call)
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

  it('is private, and contains every value unchanged, and every index', async () => {
    const odd = [
      `UPDATE rsvps SET phone = '', message = 'a"b''\n👩‍👩‍👧 é' WHERE id = 1`,
      "INSERT INTO church_pictures (width, height, hash, bytes) VALUES (-7, 9007199254740991, '12', x'00ff00')",
    ]
    await openedDatabase().batch(odd.map((sql) => ({ sql, args: [] })))
    await openedDatabase().copyTo(copy('copy.db'))
    expect(statSync(copy('copy.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(place.folder).sort()).toEqual(['1.db', '2.db', 'copy.db'])
    expect(await everythingInFile(copy('copy.db'))).toEqual(await everythingOn(server.url))
  })

  it('is removed when the server is lost during the copy', async () => {
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n`
    const entries = `INSERT INTO audit_entries (at, actor, action, subject) SELECT '', 'site', 'signed in', i FROM (${rows})`
    await openedDatabase().batch([{ sql: entries, args: [] }])
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
