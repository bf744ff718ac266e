import { describe, expect, it, vi } from 'vitest'
import type { Execute, Statement, Work } from './connection.ts'
import { withDeadline } from './deadline.ts'
import { openQueue } from './queue.ts'

vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 500 }))

const statement = (sql: string): Statement => ({ sql, args: [] })

const writing =
  (...sqls: string[]) =>
  (execute: Execute) =>
    execute(sqls.map(statement))

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Records the statements that reach it. A real driver cannot produce locks and full disks on demand. */
function fakeDriver(commit: (sqls: string[]) => void = () => {}) {
  const groups: string[][] = []
  const result = (sql: string) => ({ rows: [], toJSON: () => sql })
  return {
    groups,
    reconnect: vi.fn(),
    close: vi.fn(),
    read: async ({ sql }: Statement) => result(sql),
    commitTogether: async (works: Work<unknown>[]) => {
      const sqls: string[] = []
      const outcomes = []
      for (const work of works) {
        const execute = async (statements: Statement[]) => {
          sqls.push(...statements.map(({ sql }) => sql))
          return statements.map(({ sql }) => result(sql))
        }
        outcomes.push(
          await work(execute).then(
            (value) => ({ value }),
            (reason) => ({ reason }),
          ),
        )
      }
      groups.push(sqls)
      commit(sqls)
      return outcomes
    },
  }
}

describe('the queue', () => {
  it('runs waiting writes in one transaction, and gives each its own results', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    const results = await Promise.all([
      queue.write(writing('a1', 'a2')),
      queue.write(writing('b')),
      queue.read(statement('r')),
      queue.write(writing('c')),
    ])
    expect(connection.groups).toEqual([['a1', 'a2', 'b', 'c']])
    expect(JSON.parse(JSON.stringify(results))).toEqual([['a1', 'a2'], ['b'], 'r', ['c']])
  })

  it('reads at once while a write waits for a lock', async () => {
    let locked = true
    const attempts = vi.fn()
    const queue = openQueue(
      fakeDriver(() => {
        attempts()
        if (locked) throw failure('SQLITE_BUSY')
      }),
    )
    // On a busy machine, its own deadline could pass before the reads are done.
    const written = withDeadline(() => queue.write(writing('a')), 60_000)
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(6)
    const before = attempts.mock.calls.length
    for (let read = 0; read < 50; read++) await queue.read(statement('r'))
    // If reads waited with the write, each would wait for one more attempt.
    expect(attempts.mock.calls.length - before).toBeLessThan(25)
    locked = false
    await written
  })

  it('writes when readers keep coming', async () => {
    const queue = openQueue(fakeDriver())
    let written = false
    const write = queue.write(writing('a')).then(() => {
      written = true
    })
    for (let read = 0; read < 1000 && !written; read++) await queue.read(statement('r'))
    expect(written).toBe(true)
    await write
  })

  it('applies one deadline to all calls of a request', async () => {
    const connection = fakeDriver(() => {
      throw failure('SQLITE_BUSY')
    })
    const queue = openQueue(connection)
    await withDeadline(async () => {
      for (const sql of ['a', 'b', 'c']) await expect(queue.write(writing(sql))).rejects.toMatchObject({ code: 'busy' })
    })
    // With a deadline of its own, each is tried about seven times.
    const tries = (sql: string) => connection.groups.filter(([first]) => first === sql).length
    expect(tries('b') + tries('c')).toBeLessThanOrEqual(4)
  })

  it.each([
    ['another file has replaced the database', 'SQLITE_READONLY_DBMOVED'],
    // 39 of 100 locked commits during which a statement was garbage-collected (libsql 0.5.29).
    ['the driver has lost the reason why a commit failed', 'SQLITE_OK'],
  ])('retries when %s', async (_, code) => {
    let isFailing = true
    const connection = fakeDriver(() => {
      if (isFailing) throw failure(code)
    })
    const queue = openQueue({ ...connection, reconnect: () => (isFailing = false) })
    await queue.write(writing('a'))
    expect(connection.groups).toEqual([['a'], ['a']])
  })

  it('runs a failed group one by one, rejects only the faulty one, and retries after a lock', async () => {
    let locked = 3
    const connection = fakeDriver((sqls) => {
      if (sqls.includes('bad')) throw failure('SQLITE_CONSTRAINT')
      if (sqls.length === 1 && --locked >= 0) throw failure('SQLITE_BUSY')
    })
    const queue = openQueue(connection)
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((sql) => queue.write(writing(sql))))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(connection.groups).toEqual([['a', 'bad', 'b'], ['a'], ['a'], ['a'], ['a'], ['bad'], ['b']])
  })
})
