import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examineBackup } from '#db/backup/copy.ts'
import { createBackup } from '#db/backup/operations.ts'
import { restoreBackup } from '#db/backup/restore.ts'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { eraseRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'

import { closeDatabase } from '#db/storage/client.ts'
import { changeOwnRsvp, getOwnRsvp } from './operations.ts'

const call = testCall({ administrator: false, actor: 'visitor' })
const notFound = { code: 'not-found' }

let church: ReturnType<typeof fileDatabase>
let other: ReturnType<typeof fileDatabase>

beforeEach(() => {
  church = fileDatabase()
  other = fileDatabase()
})
afterEach(async () => {
  await closeDatabase()
  church.stop()
  other.stop()
})

async function send(name: string): Promise<string> {
  const sent = testRsvp({ name, email: `${name}@cole.example` })
  return (await createRsvp({ ...sent, idempotencyKey: name }, call)).linkSecret ?? ''
}

async function reopen({ url }: { url: string }): Promise<void> {
  await closeDatabase()
  await openDatabase(url)
}

describe('a private link', () => {
  it('is as its RSVP after a backup was restored: older, gone, or back until it is erased once more', async () => {
    await openDatabase(church.url)
    const [kept, erased] = [await send('kept'), await send('erased')]
    const { file } = await createBackup({ folder: join(church.folder, 'backups') }, testCall())
    const late = await send('late')
    const { revision } = await changeOwnRsvp({ linkSecret: kept, message: 'After the backup' }, call)
    await eraseRsvps({ email: 'erased@cole.example' }, testCall())
    await expect(getOwnRsvp({ linkSecret: erased }, call)).rejects.toMatchObject(notFound)
    await closeDatabase()
    await restoreBackup(
      { file, target: join(church.folder, 'rsvp.db'), force: false, examine: examineBackup },
      testCall(),
      async () => {},
    )

    await reopen(church)
    expect((await getOwnRsvp({ linkSecret: kept }, call)).rsvp).toMatchObject({ name: 'kept', message: null })
    const overtaken = { linkSecret: kept, message: 'Typed before', onlyIfRevision: [revision] }
    await expect(changeOwnRsvp(overtaken, call)).rejects.toMatchObject({ code: 'changed-meanwhile' })
    await expect(getOwnRsvp({ linkSecret: late }, call)).rejects.toMatchObject(notFound)
    expect((await getOwnRsvp({ linkSecret: erased }, call)).rsvp.name).toBe('erased')
    await eraseRsvps({ email: 'erased@cole.example' }, testCall())
    await expect(getOwnRsvp({ linkSecret: erased }, call)).rejects.toMatchObject(notFound)
  })

  it('is dead on the site of another church, where the same sending has another one', async () => {
    await openDatabase(church.url)
    const own = await send('same')
    await reopen(other)
    const theirs = await send('same')
    expect(theirs).not.toBe(own)
    await expect(getOwnRsvp({ linkSecret: own }, call)).rejects.toMatchObject(notFound)
    await expect(changeOwnRsvp({ linkSecret: own, name: 'Taken over' }, call)).rejects.toMatchObject(notFound)
    expect((await getOwnRsvp({ linkSecret: theirs }, call)).rsvp.name).toBe('same')
  })
})
