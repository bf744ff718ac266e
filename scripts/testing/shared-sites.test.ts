import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { openSharedSites, type Site } from './shared-sites.ts'

const sites = openSharedSites()
afterAll(sites.stop)

function inDatabase<Result>(site: Site, look: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(site.folder, 'rsvp.db'), { timeout: 60_000 })
  try {
    return look(database)
  } finally {
    database.close()
  }
}

it('gives the same process again, without the rows of the previous test', async () => {
  const first = await sites.take({})
  inDatabase(first, (database) => database.exec("INSERT INTO allowances VALUES ('of a test', 1)"))
  const second = await sites.take({})
  expect(second.pid).toBe(first.pid)
  expect(inDatabase(second, (database) => database.prepare('SELECT * FROM allowances').all())).toEqual([])
})

it.each(['CREATE INDEX added ON rsvps (phone)', 'ALTER TABLE rsvps RENAME COLUMN phone TO lost'])(
  'starts another process where a test changed the tables: %s',
  async (sql) => {
    const first = await sites.take({})
    inDatabase(first, (database) => database.exec(sql))
    const second = await sites.take({})
    expect(second.pid).not.toBe(first.pid)
    expect((await fetch(`${second.url}/api/rsvps`)).status).toBe(200)
  },
)
