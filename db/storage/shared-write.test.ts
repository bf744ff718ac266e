import { describe, expect, it } from 'vitest'
import type { SharedWrite } from './connection.ts'
import { openQueue } from './queue.ts'
import { failure, fakeDriver, statement } from './queue-fixtures.ts'

describe('a shared write', () => {
  /** Writes all letters with one statement, which names them; each caller gets its place in it. */
  const letters: SharedWrite<string, string> = {
    statements: (items) => [statement(items.join('+'))],
    results: ([set], items) => items.map((_, place) => `${place} of ${JSON.parse(JSON.stringify(set))}`),
  }

  it('takes all that wait, beside other writes, and gives each its own result', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    const many = Array.from({ length: 100 }, (_, index) => `x${index}`)
    const results = await Promise.all([
      queue.write([statement('own')]),
      ...many.map((item) => queue.writeShared(letters, item)),
    ])
    expect(connection.groups).toEqual([['own', many.join('+')]])
    expect(results.slice(1)).toEqual(many.map((_, place) => `${place} of ${many.join('+')}`))
  })

  it('takes no more than 32 other writes along', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    const others = Array.from({ length: 40 }, (_, index) => queue.write([statement(`own${index}`)]))
    await Promise.all([...others, queue.writeShared(letters, 'x')])
    expect(connection.groups.map(({ length }) => length)).toEqual([33, 8])
  })

  it('is written by halves when it is refused together, and rejects only the one at fault', async () => {
    const connection = fakeDriver((sqls) => {
      if (sqls.some((sql) => sql.includes('bad'))) throw failure('SQLITE_CONSTRAINT')
    })
    const queue = openQueue(connection)
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((item) => queue.writeShared(letters, item)))
    expect(outcomes).toMatchObject([
      { value: '0 of a' },
      { reason: { message: expect.stringContaining('SQLITE_CONSTRAINT') } },
      { value: '0 of b' },
    ])
    expect(connection.groups).toEqual([['a+bad+b'], ['a'], ['bad+b'], ['bad'], ['b']])
  })

  it('is not written again when its results cannot be told', async () => {
    const connection = fakeDriver()
    const queue = openQueue(connection)
    const untold: SharedWrite<string, string> = {
      ...letters,
      results: () => {
        throw new Error('no results')
      },
    }
    const outcomes = await Promise.allSettled(['a', 'b'].map((item) => queue.writeShared(untold, item)))
    expect(outcomes).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('no results') }))
    expect(connection.groups).toEqual([['a+b']])
    expect(connection.reconnect).not.toHaveBeenCalled()
  })

  it('is tried again together after a lock, with those that came meanwhile', async () => {
    const together: Promise<string>[] = []
    const connection = fakeDriver((sqls) => {
      if (sqls[0] !== 'a') return
      together.push(queue.writeShared(letters, 'b'))
      throw failure('SQLITE_BUSY')
    })
    const queue = openQueue(connection)
    expect(await queue.writeShared(letters, 'a')).toBe('0 of a+b')
    expect(await Promise.all(together)).toEqual(['1 of a+b'])
    expect(connection.groups).toEqual([['a'], ['a+b']])
  })
})
