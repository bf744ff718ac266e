import { describe, expect, it } from 'vitest'
import { openFairQueue } from './fair-queue.ts'

/** Work that ends on demand; `ran` holds the names in the order in which they started. */
function held(options: { concurrency: number; maximumWaiting: number }) {
  const run = openFairQueue(options)
  const ran: string[] = []
  const ends = new Map<string, () => void>()
  return {
    ran,
    add: (name: string, place: { line: string; rank?: number; isWanted?: () => boolean }) =>
      run(() => {
        ran.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      }, place).catch((error) => error.code),
    async end(...names: string[]) {
      for (const name of names) {
        ends.get(name)?.()
        await new Promise(setImmediate)
      }
    },
  }
}

describe('a fair queue', () => {
  it('limits concurrency, and starts the next when one ends', async () => {
    const { add, end, ran } = held({ concurrency: 2, maximumWaiting: 5 })
    const all = ['a', 'b', 'c', 'd'].map((name) => add(name, { line: 'one' }))
    expect(ran).toEqual(['a', 'b'])
    await end('b')
    expect(ran).toEqual(['a', 'b', 'c'])
    await end('a', 'c', 'd')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets lines take turns', async () => {
    const { add, end, ran } = held({ concurrency: 1, maximumWaiting: 9 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, { line: 'a' })
    add('b1', { line: 'b' })
    add('c1', { line: 'c' })
    await end('a1', 'a2', 'b1', 'c1', 'a3')
    expect(ran).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  })

  it('goes on with a long line while others keep coming', async () => {
    const { add, end, ran } = held({ concurrency: 1, maximumWaiting: 9 })
    for (const name of ['a1', 'a2', 'a3']) add(name, { line: 'a' })
    for (const [place, running] of ['a1', 'a2', 'b0', 'a3'].entries()) {
      add(`b${place}`, { line: `b${place}` })
      await end(running)
    }
    expect(ran).toEqual(['a1', 'a2', 'b0', 'a3', 'b1'])
  })

  it('starts lower ranks first, and lets lines of one rank take turns also where lower ranks ran meanwhile', async () => {
    const { add, end, ran } = held({ concurrency: 1, maximumWaiting: 9 })
    for (const name of ['k1', 'k2', 'k3']) add(name, { line: 'k' })
    add('a1', { line: 'a', rank: 3 })
    await end('k1', 'k2')
    for (const name of ['a2', 'a3']) add(name, { line: 'a', rank: 3 })
    add('b1', { line: 'b', rank: 3 })
    add('late', { line: 'c', rank: 1 })
    await end('k3', 'late', 'a1', 'a2', 'b1')
    expect(ran).toEqual(['k1', 'k2', 'k3', 'late', 'a1', 'a2', 'b1', 'a3'])
  })

  it('rejects the last of the highest rank and the longest line when it is full', async () => {
    const { add } = held({ concurrency: 1, maximumWaiting: 3 })
    add('running', { line: 'a' })
    add('a1', { line: 'a' })
    const longest = add('a2', { line: 'a' })
    add('b1', { line: 'b' })
    const guess = add('c1', { line: 'c', rank: 3 })
    expect(await guess).toBe('overloaded')
    add('c2', { line: 'c' })
    expect(await longest).toBe('overloaded')
  })

  it('skips work that is no longer wanted', async () => {
    const { add, end, ran } = held({ concurrency: 1, maximumWaiting: 9 })
    add('a', { line: 'a' })
    const gone = add('gone', { line: 'a', isWanted: () => false })
    add('b', { line: 'a' })
    await end('a')
    expect(await gone).toBe('overloaded')
    await end('b')
    add('c', { line: 'a' })
    expect(ran).toEqual(['a', 'b', 'c'])
  })

  it('continues after work has failed', async () => {
    const run = openFairQueue({ concurrency: 1, maximumWaiting: 1 })
    const fails = () => Promise.reject(new Error('failed'))
    await expect(run(fails, { line: 'a' })).rejects.toThrow('failed')
    expect(await run(async () => 'done', { line: 'a' })).toBe('done')
  })
})
