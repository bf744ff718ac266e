import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase } from '#db/fixtures.ts'
import { LocalClient } from './local-client.ts'
import { explainStorageError } from './storage-error.ts'

let database: ReturnType<typeof fileDatabase>
let client: LocalClient

beforeEach(() => {
  database = fileDatabase()
  client = new LocalClient(join(database.folder, 'rsvp.db'))
})
afterEach(() => {
  client.close()
  database.stop()
})

describe('an error to which the driver gives no name', () => {
  it('counts as the kind of error that it is', async () => {
    const run = (sql: string) => client.commitTogether([(execute) => execute([{ sql, args: [] }])])
    await run('CREATE TABLE t (a INTEGER) STRICT')
    const refused = await run("INSERT INTO t VALUES ('x')").catch((error) => error)
    expect(refused.code).toMatch(/^UNKNOWN_/)
    expect(explainStorageError(refused)).toMatchObject({ message: expect.stringContaining('(SQLITE_CONSTRAINT)') })
  })
})
