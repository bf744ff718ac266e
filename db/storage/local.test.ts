import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileForEachTest } from '#testing/database-fixtures.ts'
import type { Connection } from './connection.ts'
import { openLocal } from './local.ts'

vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const insert = { sql: 'INSERT INTO t VALUES (1)', args: [] }

const database = fileForEachTest()
let file: string
beforeEach(() => {
  file = database.file
})

it('openLocal gives a new file its name with its first page, even if two create it at once', async () => {
  const opened = await Promise.all([1, 2].map(() => openLocal(file, { mustExist: false })))
  expect(statSync(file).size).toBeGreaterThan(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  for (const connection of opened) await connection.close()
  expect(readdirSync(database.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

describe('an open file', () => {
  let connection: Connection
  let reader: ChildProcessWithoutNullStreams | undefined
  beforeEach(async () => {
    connection = await openLocal(file, { mustExist: false })
    await connection.batch([{ sql: 'CREATE TABLE t (a)', args: [] }])
  })
  afterEach(async () => {
    reader?.kill('SIGKILL')
    await connection.close()
  })

  /** The script of another process that opens the database. */
  const script = (work: string) => `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 })
    ${work}`

  /** Holds a read lock until it is killed, like a backup or a long list in another process. */
  async function startReader() {
    const read = "database.exec('BEGIN'); database.prepare('SELECT count(*) FROM t').get(); console.log('reading')"
    reader = spawn(process.execPath, ['-e', script(`${read}; setInterval(() => {}, 1000)`)])
    await once(reader.stdout, 'data')
    return reader
  }

  /** Whether another process can write now. */
  const canAnotherWrite = () =>
    spawnSync(process.execPath, ['-e', script("database.exec('BEGIN EXCLUSIVE; COMMIT')")]).status === 0

  const rows = async () => (await connection.read({ sql: 'SELECT a FROM t', args: [] })).rows.length

  it('stores a write once another process has stopped reading, and leaves no lock behind', async () => {
    const reading = await startReader()
    const writes = [1, 2, 3].map(() => connection.batch([insert]))
    await wait(200)
    reading.kill('SIGKILL')
    await Promise.all(writes)
    expect(canAnotherWrite()).toBe(true)
    expect(await rows()).toBe(3)
  })

  it('fails a write at its deadline while another process reads, and leaves no lock behind', async () => {
    const reading = await startReader()
    await expect(connection.batch([insert])).rejects.toMatchObject({ code: 'busy' })
    reading.kill('SIGKILL')
    await once(reading, 'close')
    expect(canAnotherWrite()).toBe(true)
    await connection.batch([insert])
    expect(await rows()).toBe(1)
  })
})
