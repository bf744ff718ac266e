import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, db } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { fileDatabase, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { backupName } from './names.ts'
import { hasRecentBackup, keepPrePurgeCopy, removeOldPrePurgeCopies } from './safeguards.ts'

const HOUR = 3600 * 1000
const call = testCall()
const at = (hours: number) => new Date(call.now.getTime() + hours * HOUR)

describe('copies from before a purge', () => {
  const database = fileDatabase()
  const kept = () => readdirSync(database.folder).filter((name) => name.includes('before-purge'))
  beforeAll(async () => {
    await openDatabase(database.url)
    await createRsvp(testRsvp(), call)
  })
  afterAll(async () => {
    await closeDatabase()
    database.stop()
  })

  it('are made beside the database, one in 24 hours, and do not replace each other', async () => {
    await keepPrePurgeCopy(database.url, at(0))
    await keepPrePurgeCopy(database.url, at(23))
    expect(kept()).toEqual(['rsvp.db.before-purge-2025-01-05T14-00-00.000Z'])
    await keepPrePurgeCopy(database.url, at(24))
    expect(kept()).toEqual([
      'rsvp.db.before-purge-2025-01-05T14-00-00.000Z',
      'rsvp.db.before-purge-2025-01-06T14-00-00.000Z',
    ])
    await closeDatabase()
    await openDatabase(`file:${join(database.folder, String(kept()[0]))}`)
    expect(await db.$count(rsvps)).toBe(1)
    await closeDatabase()
    await openDatabase(database.url)
  })

  it('expire after 14 days, and no other file is removed', async () => {
    const expiring = 'rsvp.db.before-purge-2025-01-06T14-00-00.000Z'
    const others = [`${expiring}.before-update-2025-01-06T14-00-00.000Z`, 'rsvp.db.before-purge-notes']
    for (const name of others) writeFileSync(join(database.folder, name), 'mine')
    await removeOldPrePurgeCopies(database.url, at(24 + 14 * 24))
    expect(kept()).toEqual([expiring, ...others])
    await removeOldPrePurgeCopies(database.url, at(24 + 14 * 24 + 1))
    expect(kept()).toEqual(others)
  })

  it('are not needed if there is a backup of the last 24 hours that is not from the future', async () => {
    const folder = join(database.folder, 'backups')
    expect(await hasRecentBackup(folder, at(0))).toBe(false)
    mkdirSync(folder)
    writeFileSync(join(folder, backupName(at(1))), '')
    expect(await hasRecentBackup(folder, at(0))).toBe(false)
    expect(await hasRecentBackup(folder, at(24.9))).toBe(true)
    expect(await hasRecentBackup(folder, at(25))).toBe(false)
  })
})
