import { spawnSync } from 'node:child_process'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileForEachTest } from '#testing/database-fixtures.ts'
import type { Execute, Statement } from './connection.ts'
import { LocalClient } from './local-client.ts'

const database = fileForEachTest()
let client: LocalClient

beforeEach(async () => {
  client = new LocalClient(database.file)
  await write([{ sql: 'CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE)', args: [] }])
})
afterEach(() => {
  vi.restoreAllMocks()
  client.close()
})

const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i, i FROM n'
const fill = (count: number) => write([{ sql: `INSERT INTO t ${NUMBERS}`, args: [count] }])
const write = async (statements: Statement[]) => {
  const [outcome] = await client.commitTogether([(execute) => execute(statements)])
  return outcome
}
const read = (below = 1e9) => client.execute({ sql: 'SELECT * FROM t WHERE a < ?', args: [below] }).rows
const insert = (a: number, b: number) => ({ sql: 'INSERT INTO t (a, b) VALUES (?, ?)', args: [a, b] })

/** Whether SQL succeeds in another process that waits for no lock. */
function runElsewhere(sql: string, file = database.file): boolean {
  const script = `const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 }).exec(${JSON.stringify(sql)})`
  return spawnSync(process.execPath, ['-e', script]).status === 0
}

describe('a kept statement', () => {
  // The driver fetches a hundred rows at a time.
  it.each([0, 99, 100, 101])('holds no lock once %i rows are read', async (count) => {
    await fill(1000)
    expect(read(count + 1)).toHaveLength(count)
    expect(runElsewhere('BEGIN EXCLUSIVE; COMMIT')).toBe(true)
  })

  it('holds no lock after a write, stored or refused', async () => {
    expect(await write([insert(1, 1)])).toEqual({ value: [{ rows: [] }] })
    expect(runElsewhere('BEGIN EXCLUSIVE; COMMIT')).toBe(true)
    await expect(write([insert(2, 2), insert(3, 1)])).rejects.toThrow('UNIQUE')
    expect(runElsewhere('BEGIN EXCLUSIVE; COMMIT')).toBe(true)
    await write([insert(4, 4)])
    client.close()
    client = new LocalClient(database.file)
    expect(read().flat()).toEqual([1, 1, 4, 4])
  })
})

describe('a connection to a file', () => {
  it('leaves the event loop free while it commits', async () => {
    const reader = new Database(database.file)
    reader.exec('BEGIN; SELECT * FROM t')
    const written = write([insert(1, 1)])
    // A commit in this thread would have failed by now, because it would block the end of the reader for which it waits.
    reader.close()
    await written
    expect(read()).toEqual([[1, 1]])
  })

  it('takes values as a server does, and refuses those that the driver would store as NULL', () => {
    const { rows } = client.execute({ sql: 'SELECT ?, ?, ? IS NULL', args: [true, false, null] })
    expect(rows).toEqual([[1, 0, 1]])
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => client.execute({ sql: 'SELECT ?', args: [value as number] })).toThrow('A value of a statement')
    }
  })

  it('refuses a statement that a transaction has not awaited', async () => {
    let late: Promise<unknown> | undefined
    const work = async (execute: Execute) => {
      late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => execute([insert(1, 1)]))
    }
    await client.commitTogether([work])
    await expect(late).rejects.toThrow('the transaction is over')
    expect(read()).toEqual([])
  })
})
