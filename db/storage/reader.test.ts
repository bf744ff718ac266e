import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase, testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { closeDatabase, db } from './client.ts'

let database: ReturnType<typeof fileDatabase>
let file: string
let reader: ChildProcessWithoutNullStreams

beforeEach(async () => {
  database = fileDatabase()
  file = join(database.folder, 'rsvp.db')
  await openDatabase(database.url)
})
afterEach(async () => {
  reader.kill('SIGKILL')
  await closeDatabase()
  database.stop()
})

/** The script of another process that opens the database. */
const script = (work: string) => `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 })
  ${work}`

/** Holds a read lock until it is killed, like a backup or a long list in another process. */
async function startReader(): Promise<void> {
  const read = "database.exec('BEGIN'); database.prepare('SELECT count(*) FROM rsvps').get(); console.log('reading')"
  reader = spawn(process.execPath, ['-e', script(`${read}; setInterval(() => {}, 1000)`)])
  await once(reader.stdout, 'data')
}

/** Whether another process can write now. */
function canAnotherWrite(): boolean {
  return spawnSync(process.execPath, ['-e', script("database.exec('BEGIN EXCLUSIVE; COMMIT')")]).status === 0
}

describe('a write beside a long read', () => {
  it('waits for it, is stored then, and leaves no lock behind', async () => {
    await createRsvp(testRsvp({ name: 'Before It' }), testCall())
    await startReader()
    const writes = ['One', 'Two', 'Three'].map((name) => createRsvp(testRsvp({ name }), testCall()))
    await wait(500)
    reader.kill('SIGKILL')
    expect(await Promise.all(writes)).toMatchObject([{ id: 2 }, { id: 3 }, { id: 4 }])
    expect(canAnotherWrite()).toBe(true)
    expect(await db.$count(rsvps)).toBe(4)
  })

  it('fails at its deadline, and leaves no lock behind either', async () => {
    await startReader()
    await expect(createRsvp(testRsvp(), testCall())).rejects.toMatchObject({ code: 'busy' })
    reader.kill('SIGKILL')
    await once(reader, 'close')
    expect(canAnotherWrite()).toBe(true)
    expect(await createRsvp(testRsvp(), testCall())).toMatchObject({ id: 1 })
  })
})
