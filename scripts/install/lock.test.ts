import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.useRealTimers())

/** Makes a file look untouched for an hour. */
function makeOld(file: string): number {
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(file, hourAgo, hourAgo)
  return hourAgo.getTime()
}

describe('withLock', () => {
  it('runs one task after the other', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'two')
    const order: string[] = []
    const work = (name: string) =>
      withLock(file, async () => {
        order.push(`${name} begins`)
        await wait(50)
        order.push(`${name} ends`)
      })
    await Promise.all([work('first'), work('second')])
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
    expect(existsSync(file)).toBe(false)
  })

  it('takes over from a process that has ended', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'left')
    writeFileSync(file, '999999999')
    expect(await withLock(file, () => 'done')).toBe('done')
  })

  it('waits for a running process, however long its task takes', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'slow')
    const order: string[] = []
    const first = withLock(file, async () => {
      makeOld(file)
      while (said.mock.calls.length === 0) await wait(20)
      // Longer than the interval at which the second one checks the lock.
      await wait(500)
      order.push('first')
    })
    await Promise.all([first, withLock(file, () => order.push('second'))])
    expect(order).toEqual(['first', 'second'])
  })

  it('touches its file while the task runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const file = join(folder, 'touched')
    await withLock(file, () => {
      const before = makeOld(file)
      vi.advanceTimersByTime(60_000)
      expect(statSync(file).mtimeMs).toBeGreaterThan(before)
    })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes over where another process has got the process id, and does not touch the file', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'foreign')
    writeFileSync(file, String(process.ppid))
    const began = performance.now()
    let looks = 0
    vi.spyOn(performance, 'now').mockImplementation(() => began + 60_000 * looks++)
    expect(await withLock(file, () => 'done')).toBe('done')
    expect(looks).toBeGreaterThan(1)
  })

  it('leaves a file to whoever is writing it, however old it looks', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'empty')
    writeFileSync(file, '')
    makeOld(file)
    let looks = 0
    vi.spyOn(performance, 'now').mockImplementation(() => 2_000 * looks++)
    expect(await withLock(file, () => 'done')).toBe('done')
    expect(looks).toBeGreaterThan(3)
  })

  it('releases the lock after a task that failed', async () => {
    const file = join(folder, 'failed')
    await expect(
      withLock(file, () => {
        throw new Error('no disk')
      }),
    ).rejects.toThrow('no disk')
    expect(existsSync(file)).toBe(false)
  })
})
