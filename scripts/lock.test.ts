import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('withLock', () => {
  it('lets one piece of work end before the next begins', async () => {
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

  it('takes over from a process that is gone', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const file = join(folder, 'left')
    writeFileSync(file, '999999999')
    expect(await withLock(file, () => 'done')).toBe('done')
  })

  it('is free again after work that failed', async () => {
    const file = join(folder, 'failed')
    await expect(
      withLock(file, () => {
        throw new Error('no disk')
      }),
    ).rejects.toThrow('no disk')
    expect(existsSync(file)).toBe(false)
  })
})
