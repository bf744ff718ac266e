import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { beginPost } from '#site/scenarios/begin-post-fixtures.ts'
import { startAt, storedRsvps } from '#site/scenarios/fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-stop-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the end', () => {
  it('comes after everything in flight is stored and acknowledged', async () => {
    const path = join(folder, 'busy.db')
    const { child, ended, url } = await startAt(`file:${path}`)
    const posts = await Promise.all(Array.from({ length: 20 }, () => beginPost({ url }, JSON.stringify(testRsvp()))))
    // A terminal and npm both pass a signal on, so it can come twice.
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      child.kill(signal)
      await wait(60)
    }
    for (const { finish } of posts) finish()
    for (const { text } of posts) expect(await text).toMatch(/\r\n\r\nHTTP\/1\.1 201/)
    expect(await ended).toEqual({ code: 0 })
    const again = await startBuiltServer({ DATABASE_URL: `file:${path}` })
    expect(await storedRsvps(again)).toHaveLength(20)
    await again.stop()
  })

  it('does not wait for connections that only lie open, and not long for a request that is never finished', async () => {
    async function end(isBegun: boolean, overrides = {}): Promise<number> {
      const site = await startBuiltServer(withOverrides(overrides))
      const { host, port } = new URL(site.url)
      const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
      idle.write(`GET /favicon.svg HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      // The server has it, and has nothing more to do for it.
      await once(idle, 'data')
      if (isBegun) await beginPost(site, JSON.stringify(testRsvp()))
      const told = performance.now()
      // EXIT_TIMEOUT_MS would end it two seconds later in any case, but with 1.
      expect(await site.stop()).toBe(0)
      idle.destroy()
      return performance.now() - told
    }
    const [ms] = await Promise.all([end(false), end(true, { DRAIN_TIMEOUT_MS: 1000 })])
    // DRAIN_TIMEOUT_MS is eight seconds.
    expect(ms).toBeLessThan(7900)
  })
})
