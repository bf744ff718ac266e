import { readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changeFile, describeOnBothDatabases, fileForEachTest, storeRows, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { checkHealth, checkReadable, findDamage } from './operations.ts'

// One waits out what a request waits for a server.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const call = testCall()

/** A family member of a response that does not exist. */
const orphan = "INSERT INTO family_members (rsvp_id, position, name, attending) VALUES (999, 0, 'Joel Cole', 1)"

describeOnBothDatabases('health', () => {
  it('is ok while the database can be read', async () => {
    expect(await checkHealth(call)).toEqual({ status: 'ok' })
  })

  it('finds no damage in a database that is in use', async () => {
    expect(await findDamage(call)).toEqual([])
    const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1, 2] })
    await Promise.all(Array.from({ length: 20 }, () => createRsvp(sent, call)))
    expect(await findDamage(call)).toEqual([])
  })
})

it('health is unavailable while a libSQL server does not reply', async () => {
  const server = await startLibsqlServer()
  await openDatabase(server.url)
  await server.stop()
  await expect(checkHealth(call)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(checkReadable(call)).rejects.toMatchObject({ code: 'unavailable' })
  await closeDatabase()
})

describe('findDamage on a file', () => {
  const database = fileForEachTest()

  beforeEach(async () => {
    await openDatabase(database.url)
    const message = 'x'.repeat(300)
    await storeRows(Array.from({ length: 500 }, (_, count) => ({ key: `key-${1000 + count}`, message })))
    await closeDatabase()
  })

  it('finds a row missing from its index, and changes nothing', async () => {
    const bytes = readFileSync(database.file)
    bytes.write('9', bytes.lastIndexOf('key-1250') + 'key-'.length)
    writeFileSync(database.file, bytes)
    await openDatabase(database.url)
    expect(await findDamage(call)).toContain('row 251 missing from index rsvps_key_unique')
    expect(readFileSync(database.file).equals(bytes)).toBe(true)
  })

  it('finds rows that refer to a missing row', async () => {
    changeFile(database.file, orphan)
    await openDatabase(database.url)
    expect(await findDamage(call)).toEqual(['A row of family_members refers to a missing row.'])
  })
})
