import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { REQUEST_DEADLINE_MS, withDeadline } from './deadline.ts'
import { openQueue } from './queue.ts'
import { failure, fakeDriver, statement } from './queue-fixtures.ts'

describe('the queue', () => {
  it('runs waiting writes in one transaction, and gives each its own results', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    const results = await Promise.all([
      queue.write([statement('a1'), statement('a2')]),
      queue.write([statement('b')]),
      queue.read(statement('r')),
      queue.write([statement('c')]),
    ])
    expect(connection.groups).toEqual([['a1', 'a2', 'b', 'c']])
    expect(JSON.parse(JSON.stringify(results))).toEqual([['a1', 'a2'], ['b'], 'r', ['c']])
  })

  it('reconnects after a lock, and retries until it is free', async () => {
    let locked = 3
    const connection = fakeDriver(() => {
      locked -= 1
      if (locked >= 0) throw failure('SQLITE_BUSY')
    })
    await openQueue(connection).write([statement('a')])
    expect(connection.reconnect).toHaveBeenCalledTimes(3)
    expect(connection.groups).toHaveLength(4)
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
    const written = queue.write([statement('a')])
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(6)
    const before = attempts.mock.calls.length
    for (let read = 0; read < 50; read++) await queue.read(statement('r'))
    // Each would wait for one more attempt if it waited with the write.
    expect(attempts.mock.calls.length - before).toBeLessThan(25)
    locked = false
    await written
  })

  it('reads once for all who wait for the same, and gives each its own otherwise', async () => {
    const driver = fakeDriver()
    const read = vi.spyOn(driver, 'read')
    const queue = openQueue(driver)
    const asked = [
      ['r', []],
      ['r', [1]],
      ['r', [2]],
      ['s', []],
    ] as const
    const statements = asked.map(([sql, args]) => ({ sql, args: [...args] }))
    const results = await Promise.all([...statements, ...statements].map((each) => queue.read(each)))
    expect(read.mock.calls).toEqual(statements.map((each) => [each]))
    expect(results.map((each) => JSON.parse(JSON.stringify(each)))).toEqual(['r', 'r', 'r', 's', 'r', 'r', 'r', 's'])
    await queue.read(statement('r'))
    expect(read).toHaveBeenCalledTimes(5)
  })

  it('writes when readers keep coming', async () => {
    const queue = openQueue(fakeDriver())
    let written = false
    const write = queue.write([statement('a')]).then(() => {
      written = true
    })
    for (let read = 0; read < 1000 && !written; read++) await queue.read(statement('r'))
    expect(written).toBe(true)
    await write
  })

  it('writes before slow reads are done, each of which is of something else', async () => {
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const driver = fakeDriver()
    const read = vi.spyOn(driver, 'read').mockImplementation(async ({ sql }) => {
      now += 3
      return fakeDriver().read(statement(sql))
    })
    const queue = openQueue(driver)
    const reads = Array.from({ length: 100 }, (_, place) => queue.read(statement(`r${place}`)))
    await queue.write([statement('a')])
    expect(read).toHaveBeenCalledTimes(4)
    await Promise.all(reads)
    expect(read).toHaveBeenCalledTimes(100)
  })

  it('tries one read, not all of them, while the lock blocks reads too', async () => {
    const attempts = vi.fn()
    let locked = true
    const connection = fakeDriver()
    const queue = openQueue({
      ...connection,
      read: async (asked) => {
        attempts()
        if (locked) throw failure('SQLITE_BUSY')
        return connection.read(asked)
      },
    })
    const reads = Array.from({ length: 50 }, () => queue.read(statement('r')))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(attempts.mock.calls.length).toBeLessThan(25)
    locked = false
    expect(await Promise.all(reads)).toHaveLength(50)
  })

  it('gives up on a lock at its deadline, and serves later calls', async () => {
    let locked = true
    const connection = fakeDriver(() => {
      if (locked) throw failure('SQLITE_BUSY')
    })
    const queue = openQueue(connection)
    await expect(queue.write([statement('a')])).rejects.toMatchObject({ code: 'busy' })
    locked = false
    await queue.write([statement('b')])
    expect(connection.groups.at(-1)).toEqual(['b'])
  })

  it('applies one deadline to all calls of a request', async () => {
    const queue = openQueue(
      fakeDriver(() => {
        throw failure('SQLITE_BUSY')
      }),
    )
    const started = performance.now()
    await withDeadline(async () => {
      for (const sql of ['a', 'b', 'c']) {
        await expect(queue.write([statement(sql)])).rejects.toMatchObject({ code: 'busy' })
      }
    })
    expect(performance.now() - started).toBeLessThan(3 * REQUEST_DEADLINE_MS - 1000)
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
    await queue.write([statement('a')])
    expect(connection.groups).toEqual([['a'], ['a']])
  })

  it('halves a group that is refused, and rejects only the write at fault', async () => {
    const connection = fakeDriver((sqls) => {
      if (sqls.includes('bad')) throw failure('SQLITE_CONSTRAINT')
    })
    const queue = openQueue(connection)
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((sql) => queue.write([statement(sql)])))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(connection.groups).toEqual([['a', 'bad', 'b'], ['a'], ['bad', 'b'], ['bad'], ['b']])
  })

  it.each(['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_READONLY'])(
    'tries a group once after %s, which no write of it can help, and explains it to all',
    async (code) => {
      const connection = fakeDriver(() => {
        throw failure(code)
      })
      const queue = openQueue(connection)
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => queue.write([statement('a')])))
      const alone = await queue.write([statement('a')]).catch((error) => error)
      expect(outcomes).toEqual(Array(30).fill({ status: 'rejected', reason: alone }))
      expect(connection.groups).toHaveLength(2)
    },
  )

  it('tries no more of a group that was refused once it meets a lock', async () => {
    let locked = 3
    const connection = fakeDriver((sqls) => {
      if (sqls.includes('bad')) throw failure('SQLITE_CONSTRAINT')
      locked -= 1
      if (locked >= 0) throw failure('SQLITE_BUSY')
    })
    const queue = openQueue(connection)
    const sqls = Array.from({ length: 32 }, (_, place) => (place === 31 ? 'bad' : 'good'))
    const outcomes = await Promise.allSettled(sqls.map((sql) => queue.write([statement(sql)])))
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(31).fill('fulfilled'), 'rejected'])
    const failed = Array(3).fill([32, 16]).flat()
    expect(connection.groups.map(({ length }) => length)).toEqual([...failed, 32, 16, 16, 8, 8, 4, 4, 2, 2, 1, 1])
  })

  it.each([
    ['SQLITE_FULL', 'full'],
    ['SQLITE_READONLY', 'unavailable'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_CORRUPT', 'damaged'],
  ])('explains %s as %s', async (code, explained) => {
    const connection = fakeDriver(() => {
      throw failure(code)
    })
    await expect(openQueue(connection).write([statement('a')])).rejects.toMatchObject({ code: explained })
    expect(connection.reconnect).toHaveBeenCalled()
  })

  it('finishes waiting jobs before it closes', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    connection.close.mockImplementation(() => connection.groups.push(['closed']))
    const written = queue.write([statement('a')])
    await queue.close()
    await written
    expect(connection.groups).toEqual([['a'], ['closed']])
  })
})
