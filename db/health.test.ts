import { expect, it, vi } from 'vitest'
import { closeDatabase } from '#db/storage/client.ts'
import { describeOnBothDatabases, testCall } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '#testing/libsql-server.mjs'
import { checkHealth } from './health.ts'
import { openDatabase } from './open.ts'

// One test waits as long as a request waits for a server.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const call = testCall()

describeOnBothDatabases('health', () => {
  it('is ok while the database can be read', async () => {
    expect(await checkHealth(call)).toEqual({ status: 'ok' })
  })
})

it('health is unavailable while a libSQL server does not reply', async () => {
  const server = await startLibsqlServer()
  await openDatabase(server.url)
  await server.stop()
  await expect(checkHealth(call)).rejects.toMatchObject({ code: 'unavailable' })
  await closeDatabase()
})
