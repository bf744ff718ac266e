import { expect, it, onTestFinished, vi } from 'vitest'
import { openShelf } from './shelf.ts'

/** A shelf whose things are numbers in the order of their making, made when told to. */
function testShelf() {
  let version: string | undefined = 'one'
  let begun = 0
  const ends: ((isWhole?: boolean) => void)[] = []
  const make = () => {
    const number = ++begun
    return new Promise<{ number: number; isWhole: boolean }>((resolve, reject) => {
      ends[number] = (isWhole) => (isWhole === undefined ? reject(new Error('not made')) : resolve({ number, isWhole }))
    })
  }
  const shelf = openShelf(make, () => version)
  return {
    begun: () => begun,
    write: (next: string | undefined) => {
      version = next
    },
    take: async () => (await shelf.take())?.number,
    end: async (number: number, isWhole?: boolean) => {
      ends[number]?.(isWhole)
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
  }
}

it('a shelf makes a thing once for all who want it, keeps it, and gives none while its version is unknown', async () => {
  const { take, end, begun, write } = testShelf()
  const wanted = Promise.all([take(), take()])
  await end(1, true)
  expect([await wanted, await take(), begun()]).toEqual([[1, 1], 1, 1])
  write(undefined)
  expect(await take()).toBeUndefined()
})

it('gives nothing begun before a write to who comes after it, and makes one thing for all writes meanwhile', async () => {
  const { take, end, write, begun } = testShelf()
  const wanted = [take()]
  for (const version of ['two', 'three', 'four']) {
    write(version)
    wanted.push(take())
  }
  await end(1, true)
  expect(begun()).toBe(2)
  await end(2, true)
  expect([await Promise.all(wanted), await take(), begun()]).toEqual([[1, 2, 2, 2], 2, 2])
  write('five')
  void take()
  expect(begun()).toBe(3)
})

it('does not keep what was made while a write was undone, for another write has its version', async () => {
  const { take, end, write, begun } = testShelf()
  write('two')
  void take()
  write('one')
  await end(1, true)
  write('two')
  void take()
  expect(begun()).toBe(2)
})

it('keeps nothing longer than a minute, and nothing that is not whole', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { take, end, begun } = testShelf()
  void take()
  await end(1, true)
  vi.advanceTimersByTime(59_000)
  expect(await take()).toBe(1)
  vi.advanceTimersByTime(1000)
  void take()
  await end(2, false)
  void take()
  expect(begun()).toBe(3)
})

it('goes on after a failure, which all who waited are told', async () => {
  const { take, end, write } = testShelf()
  const failed = [take(), take()].map((each) => expect(each).rejects.toThrow('not made'))
  write('two')
  const next = take()
  await end(1)
  await Promise.all(failed)
  await end(2, true)
  expect(await next).toBe(2)
})
