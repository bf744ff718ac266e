import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findSession } from '#db/access/operations.ts'
import { hashOfToken } from '#db/access/sessions.ts'
import { sessions } from '#db/access/table.ts'
import { fileDatabase, testCall } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, db, openedDatabase, transaction } from '#db/storage/client.ts'

// Each waits out what a request waits for a lock.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

/** Keeps others from writing to a file, and not from reading it, until it is stopped. */
const lock = `
  const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
  database.exec('BEGIN IMMEDIATE')
  console.log('locked')
  setInterval(() => {}, 1000)`

const usedAt = testCall().now.getTime()
const aMinuteLater = testCall({ now: new Date(usedAt + 60_000) })

let database: ReturnType<typeof fileDatabase>

beforeEach(async () => {
  database = fileDatabase()
  await openDatabase(database.url)
  await transaction((tx) =>
    tx.insert(sessions).values({ id: 1, tokenHash: hashOfToken('one'), createdAt: usedAt, usedAt }),
  )
})
afterEach(async () => {
  await closeDatabase()
  database.stop()
})

describe('a session whose last use cannot be stored', () => {
  it('is found all the same', async () => {
    const locking = spawn(process.execPath, ['-e', lock, join(database.folder, 'rsvp.db')])
    await once(locking.stdout, 'data')
    const found = await findSession('one', aMinuteLater).catch((error) => error)
    locking.kill()
    await once(locking, 'close')
    expect(found).toEqual({ id: 1 })
    expect(await db.select().from(sessions)).toMatchObject([{ usedAt }])
  })

  it('fails when the reason is a bug', async () => {
    const refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON sessions BEGIN SELECT raise(ABORT, 'no'); END"
    await openedDatabase().batch([{ sql: refuse, args: [] }])
    await expect(findSession('one', aMinuteLater)).rejects.toThrow('The database refused a statement')
  })
})
