import { describe, expect, it, vi } from 'vitest'
import { changeFile, describeOnBothDatabases, fileForEachTest, testCall } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { checkHealth, findDamage } from './operations.ts'

// One waits out what a request waits for a server.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const call = testCall()

/** A family member of a response that does not exist. */
const orphan = "INSERT INTO family_members (rsvp_id, position, name, attending) VALUES (999, 0, 'Joel Cole', 1)"

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

describe('findDamage on a file', () => {
  const database = fileForEachTest()

  it('finds rows that refer to a missing row, and nothing else', async () => {
    await openDatabase(database.url)
    expect(await findDamage(call)).toEqual([])
    await closeDatabase()
    changeFile(database.file, orphan)
    await openDatabase(database.url)
    expect(await findDamage(call)).toEqual(['A row of family_members refers to a missing row.'])
  })
})
