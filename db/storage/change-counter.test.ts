import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileForEachTest } from '#testing/database-fixtures.ts'
import { openChangeCounter } from './change-counter.ts'
import { LocalClient } from './local-client.ts'
import { identityOf } from './local-file.ts'

const database = fileForEachTest()
let counter: { read(): string | undefined; close(): void }
let client: LocalClient

beforeEach(async () => {
  client = new LocalClient(database.file)
  await write('CREATE TABLE t (a)')
  const identity = await identityOf(database.file)
  const { read, close } = openChangeCounter(database.file)
  counter = { read: () => read(identity), close }
})
afterEach(() => {
  client.close()
  counter.close()
})

const write = (sql: string) => client.commitTogether([(execute) => execute([{ sql, args: [] }])])

/** Tries to write in another process that waits for no lock. Returns its exit code, 0 for success. */
async function writeElsewhere(sql = 'INSERT INTO t VALUES (2)'): Promise<number> {
  const script = `import { DatabaseSync } from 'node:sqlite'
    new DatabaseSync(${JSON.stringify(database.file)}, { timeout: 0 }).exec(${JSON.stringify(sql)})`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const [code] = await once(writer, 'close')
  return code
}

describe('the change counter', () => {
  it('stays while nothing is written, and differs after a commit of any process', async () => {
    const before = counter.read()
    client.execute({ sql: 'SELECT * FROM t', args: [] })
    expect([before, counter.read()]).toEqual([expect.any(String), before])
    await write('INSERT INTO t VALUES (1)')
    const after = counter.read()
    expect(await writeElsewhere()).toBe(0)
    expect(new Set([before, after, counter.read()]).size).toBe(3)
  })

  it('releases no lock that SQLite holds in this process', async () => {
    for (const sql of ['BEGIN IMMEDIATE', 'INSERT INTO t VALUES (1)']) client.execute({ sql, args: [] })
    for (let number = 0; number < 3; number += 1) counter.read()
    expect(await writeElsewhere()).not.toBe(0)
    client.execute({ sql: 'COMMIT', args: [] })
    expect(await writeElsewhere()).toBe(0)
  })

  it('is undefined for a file that is replaced or gone, and differs for the new one', async () => {
    const { read, close } = openChangeCounter(database.file)
    const [identity, before] = [await identityOf(database.file), counter.read()]
    copyFileSync(database.file, `${database.file}.copy`)
    renameSync(`${database.file}.copy`, database.file)
    expect([read(identity), counter.read()]).toEqual([undefined, undefined])
    const after = read(await identityOf(database.file))
    expect([after, after === before]).toEqual([expect.any(String), false])
    rmSync(database.file)
    expect(counter.read()).toBeUndefined()
    close()
  })

  it('is undefined while another program has the file in WAL mode', async () => {
    expect(await writeElsewhere('PRAGMA journal_mode = WAL')).toBe(0)
    await write('INSERT INTO t VALUES (1)')
    expect(counter.read()).toBeUndefined()
    expect(client.execute({ sql: 'PRAGMA journal_mode = DELETE', args: [] }).rows[0]?.[0]).toBe('delete')
    expect(counter.read()).toEqual(expect.any(String))
  })
})
