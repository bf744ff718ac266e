import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openShelf } from './shelf.ts'

/** A shelf whose things are numbers in the order of their making, made when told to. */
function testShelf() {
  let version: string | undefined = 'one'
  let begun = 0
  const ends: ((isWhole?: boolean) => void)[] = []
  const make = () => {
    const number = ++begun
    return new Promise<{ number: number; isWhole: boolean }>((resolve, reject) => {
      ends[number] = (isWhole = true) => (isWhole ? resolve({ number, isWhole }) : reject(new Error('not made')))
    })
  }
  const shelf = openShelf(make, () => version)
  return {
    begun: () => begun,
    write: (next: string | undefined) => {
      version = next
    },
    take: async () => (await shelf.take(version ?? '')).number,
    current: () => shelf.current(version ?? '')?.number,
    end: async (number: number, isWhole?: boolean) => {
      ends[number]?.(isWhole)
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
    shelf,
  }
}

describe('a shelf', () => {
  it('makes a thing once for all who want it, and keeps it', async () => {
    const { take, end, begun, current } = testShelf()
    const wanted = Promise.all([take(), take(), take()])
    await end(1)
    expect([await wanted, await take(), current(), begun()]).toEqual([[1, 1, 1], 1, 1, 1])
  })

  it('gives nothing that began to be made before a write to who comes after it', async () => {
    const { take, end, write, begun } = testShelf()
    const before = take()
    write('two')
    const after = [take(), take()]
    expect(begun()).toBe(1)
    await end(1)
    await end(2)
    expect([await before, await Promise.all(after), begun()]).toEqual([1, [2, 2], 2])
  })

  it('makes one thing at a time, and of all writes meanwhile only one more', async () => {
    const { take, end, write, begun } = testShelf()
    const wanted = [take()]
    for (const version of ['two', 'three', 'four']) {
      write(version)
      wanted.push(take())
    }
    await end(1)
    expect(begun()).toBe(2)
    await end(2)
    expect([await Promise.all(wanted), begun()]).toEqual([[1, 2, 2, 2], 2])
  })

  it('does not keep what was made while a write was undone, for another write has its version', async () => {
    const { take, end, write, current } = testShelf()
    write('two')
    const wanted = take()
    write('one')
    await end(1)
    write('two')
    expect([await wanted, current()]).toEqual([1, undefined])
  })

  it('gives no longer what was kept before a write, also while it cannot be told whether there was one', async () => {
    const { take, end, write, current } = testShelf()
    const wanted = take()
    await end(1)
    await wanted
    for (const version of ['two', undefined]) {
      write(version)
      expect(current()).toBeUndefined()
    }
  })

  it('holds nothing for longer than a minute, although nothing was written', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { take, end, write, current } = testShelf()
    for (const [number, version] of [[1, 'one'] as const, [2, 'two'] as const]) {
      write(version)
      const wanted = take()
      await end(number)
      await wanted
      vi.advanceTimersByTime(59_000)
      expect(current()).toBe(number)
    }
    vi.advanceTimersByTime(1000)
    expect(current()).toBeUndefined()
  })

  it('keeps nothing that is not whole', async () => {
    let begun = 0
    const make = async () => ({ number: ++begun, isWhole: false })
    const shelf = openShelf(make, () => 'one')
    await shelf.take('one')
    expect([shelf.current('one'), (await shelf.take('one')).number]).toEqual([undefined, 2])
  })

  it('goes on after a failure, which all who waited are told', async () => {
    const { take, end, write } = testShelf()
    const [first, same] = [take(), take()]
    write('two')
    const next = take()
    const failed = Promise.all([expect(first).rejects.toThrow('not made'), expect(same).rejects.toThrow('not made')])
    await end(1, false)
    await failed
    await end(2)
    expect(await next).toBe(2)
  })
})
