import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileForEachTest } from '#db/fixtures.ts'
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

/** Another process that tries to write at once. Returns its exit code: 0 if it did. */
const writeElsewhere = () => runElsewhere('INSERT INTO t VALUES (2)')

async function runElsewhere(sql: string): Promise<number> {
  const script = `import { DatabaseSync } from 'node:sqlite'
    new DatabaseSync(${JSON.stringify(database.file)}, { timeout: 0 }).exec(${JSON.stringify(sql)})`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const [code] = await once(writer, 'close')
  return code
}

describe('the change counter', () => {
  it('stays while nothing is written, and differs after every commit of any process', async () => {
    const seen = [counter.read()]
    expect(seen[0]).toEqual(expect.any(String))
    client.execute({ sql: 'SELECT * FROM t', args: [] })
    expect(counter.read()).toBe(seen[0])
    for (let number = 0; number < 3; number += 1) {
      await write('INSERT INTO t VALUES (1)')
      seen.push(counter.read())
    }
    expect(await writeElsewhere()).toBe(0)
    seen.push(counter.read())
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('releases no lock that SQLite holds in this process', async () => {
    counter.read()
    const [begin, insert, commit] = ['BEGIN IMMEDIATE', 'INSERT INTO t VALUES (1)', 'COMMIT']
    for (const sql of [begin, insert]) client.execute({ sql, args: [] })
    for (let number = 0; number < 3; number += 1) counter.read()
    expect(await writeElsewhere()).not.toBe(0)
    client.execute({ sql: commit, args: [] })
    expect(await writeElsewhere()).toBe(0)
  })

  it('differs once another file is read from, even one with as many commits, and tells nothing until then', async () => {
    const { read, close } = openChangeCounter(database.file)
    const earlier = await identityOf(database.file)
    const before = read(earlier)
    copyFileSync(database.file, `${database.file}.copy`)
    renameSync(`${database.file}.copy`, database.file)
    expect(read(earlier)).toBeUndefined()
    const after = read(await identityOf(database.file))
    expect(after).toEqual(expect.any(String))
    expect(after).not.toBe(before)
    close()
  })

  it('tells nothing of a file that is gone', () => {
    rmSync(database.file)
    expect(counter.read()).toBeUndefined()
  })

  it('tells nothing while another program has the file in WAL mode, and differs once that is over', async () => {
    const before = counter.read()
    expect(await runElsewhere('PRAGMA journal_mode = WAL')).toBe(0)
    for (let number = 0; number < 3; number += 1) {
      await write('INSERT INTO t VALUES (1)')
      expect(await writeElsewhere()).toBe(0)
      expect(counter.read()).toBeUndefined()
    }
    const { rows } = client.execute({ sql: 'PRAGMA journal_mode = DELETE', args: [] })
    expect(rows[0]?.[0]).toBe('delete')
    expect(counter.read()).toEqual(expect.any(String))
    expect(counter.read()).not.toBe(before)
  })
})
