import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { startBuiltServer } from '../../scripts/built-server.mjs'
import { startAt, storedRsvps } from './fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-stop-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the end', () => {
  it('comes after everything in flight is answered and stored', async () => {
    const path = join(folder, 'busy.db')
    const { child, ended, url } = await startAt(`file:${path}`)
    const { host, port } = new URL(url)
    const json = JSON.stringify(testRsvp())
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), '127.0.0.1')
        const parts = socket.setEncoding('utf8').toArray()
        socket.write(
          `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json.slice(0, 9)}`,
        )
        await wait(100)
        return { finish: () => socket.write(json.slice(9)), text: parts.then((all) => all.join('')) }
      }),
    )
    const told = performance.now()
    // A terminal and npm both pass a signal on, so it can come twice.
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      child.kill(signal)
      await wait(60)
    }
    for (const { finish } of answers) finish()
    for (const { text } of answers) expect(await text).toMatch(/^HTTP\/1\.1 201/)
    expect(await ended).toEqual({ code: 0 })
    expect(performance.now() - told).toBeLessThan(10_000)
    const again = await startBuiltServer({ DATABASE_URL: `file:${path}` })
    expect(await storedRsvps(again)).toHaveLength(20)
    await again.stop()
  })

  it('does not wait for connections that only lie open', async () => {
    const { child, ended, url } = await startAt(`file:${join(folder, 'idle.db')}`)
    await fetch(`${url}/share`)
    const idle = connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => {})
      .resume()
    await wait(50)
    const told = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0 })
    expect(performance.now() - told).toBeLessThan(2_000)
    idle.destroy()
  })
})
