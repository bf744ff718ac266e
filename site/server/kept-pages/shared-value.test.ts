import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shareValue } from './shared-value.ts'

/** A shared value that is a number, which counts how often it was made. `finish` ends the making of a number. */
function testValue() {
  let version: string | undefined = 'one'
  let begun = 0
  const finishers: ((isComplete?: boolean) => void)[] = []
  const make = () => {
    begun += 1
    const number = begun
    return new Promise<{ number: number; isComplete: boolean }>((resolve, reject) => {
      finishers[number] = (isComplete) =>
        isComplete === undefined ? reject(new Error('not made')) : resolve({ number, isComplete })
    })
  }
  const value = shareValue(make, () => version)
  return {
    begun: () => begun,
    write: (next: string | undefined) => {
      version = next
    },
    get: async () => (await value.get())?.number,
    finish: async (number: number, isComplete?: boolean) => {
      finishers[number]?.(isComplete)
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
  }
}

describe('a shared value', () => {
  it('is made once for all callers and kept, and is undefined while its version is unknown', async () => {
    const { get, finish, begun, write } = testValue()
    const values = Promise.all([get(), get()])
    await finish(1, true)
    expect([await values, await get(), begun()]).toEqual([[1, 1], 1, 1])
    write(undefined)
    expect(await get()).toBeUndefined()
  })

  it('is made again for callers after a write, and once for several writes meanwhile', async () => {
    const { get, finish, write, begun } = testValue()
    const values = [get()]
    for (const version of ['two', 'three', 'four']) {
      write(version)
      values.push(get())
    }
    await finish(1, true)
    expect(begun()).toBe(2)
    await finish(2, true)
    expect([await Promise.all(values), await get(), begun()]).toEqual([[1, 2, 2, 2], 2, 2])
    write('five')
    void get()
    expect(begun()).toBe(3)
  })

  it('is not kept if a write was undone meanwhile, because another write will have its version', async () => {
    const { get, finish, write, begun } = testValue()
    write('two')
    void get()
    write('one')
    await finish(1, true)
    write('two')
    void get()
    expect(begun()).toBe(2)
  })

  it('is kept for a minute at most, and not if it is incomplete', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { get, finish, begun } = testValue()
    void get()
    await finish(1, true)
    vi.advanceTimersByTime(59_000)
    expect(await get()).toBe(1)
    vi.advanceTimersByTime(1000)
    void get()
    await finish(2, false)
    void get()
    expect(begun()).toBe(3)
  })

  it('is made again after a failure, which all waiting callers get', async () => {
    const { get, finish, write } = testValue()
    const failed = [get(), get()].map((each) => expect(each).rejects.toThrow('not made'))
    write('two')
    const next = get()
    await finish(1)
    await Promise.all(failed)
    await finish(2, true)
    expect(await next).toBe(2)
  })
})
