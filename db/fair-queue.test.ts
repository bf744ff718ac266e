import { describe, expect, it } from 'vitest'
import { openFairQueue } from './fair-queue.ts'

/** Pieces of work that end when they are told to; `ran` are their names in the order of their beginnings. */
function held(options: { atOnce: number; waitingMaximum: number }) {
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
  it('runs so many at once, and the others as soon as one has ended', async () => {
    const { add, end, ran } = held({ atOnce: 2, waitingMaximum: 5 })
    const all = ['a', 'b', 'c', 'd'].map((name) => add(name, { line: 'one' }))
    expect(ran).toEqual(['a', 'b'])
    await end('b')
    expect(ran).toEqual(['a', 'b', 'c'])
    await end('a', 'c', 'd')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives every line its turn', async () => {
    const { add, end, ran } = held({ atOnce: 1, waitingMaximum: 9 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, { line: 'a' })
    add('b1', { line: 'b' })
    add('c1', { line: 'c' })
    await end('a1', 'a2', 'b1', 'c1', 'a3')
    expect(ran).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  })

  it('lets lower ranks go first', async () => {
    const { add, end, ran } = held({ atOnce: 1, waitingMaximum: 9 })
    add('first', { line: 'a' })
    add('guesses', { line: 'a', rank: 5 })
    add('knows', { line: 'b', rank: 1 })
    await end('first', 'knows')
    expect(ran).toEqual(['first', 'knows', 'guesses'])
  })

  it('refuses the last of the highest rank and the longest line where there is no room', async () => {
    const { add } = held({ atOnce: 1, waitingMaximum: 3 })
    add('running', { line: 'a' })
    add('a1', { line: 'a' })
    const crowd = add('a2', { line: 'a' })
    add('b1', { line: 'b' })
    const guess = add('c1', { line: 'c', rank: 3 })
    expect(await guess).toBe('overloaded')
    add('c2', { line: 'c' })
    expect(await crowd).toBe('overloaded')
  })

  it.each([
    ['a1 b1 c1 d1', 'd1'],
    ['a1 a2 b1 b2', 'b2'],
    ['b1 a1 a2 b2', 'b2'],
    ['a1 b1 b2 c1', 'b2'],
  ])('refuses who came last where lines are equally long: of %s it is %s', async (names, last) => {
    const { add } = held({ atOnce: 1, waitingMaximum: 3 })
    add('running', { line: 'a' })
    const refused: string[] = []
    for (const name of names.split(' '))
      add(name, { line: name.charAt(0) }).then((answer) => answer === 'overloaded' && refused.push(name))
    await new Promise(setImmediate)
    expect(refused).toEqual([last])
  })

  it('does not run what nobody wants any more, and goes on', async () => {
    const { add, end, ran } = held({ atOnce: 1, waitingMaximum: 9 })
    add('a', { line: 'a' })
    const gone = add('gone', { line: 'a', isWanted: () => false })
    add('b', { line: 'a' })
    await end('a')
    expect(await gone).toBe('overloaded')
    await end('b')
    add('c', { line: 'a' })
    expect(ran).toEqual(['a', 'b', 'c'])
  })

  it('goes on after a piece of work has failed', async () => {
    const run = openFairQueue({ atOnce: 1, waitingMaximum: 1 })
    const fails = () => Promise.reject(new Error('failed'))
    await expect(run(fails, { line: 'a' })).rejects.toThrow('failed')
    expect(await run(async () => 'done', { line: 'a' })).toBe('done')
  })
})
