import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, startAt, storedRsvps } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'
import { withOverrides } from '#testing/overrides.mjs'
import {
  beginPost,
  canary,
  eventually,
  expectKept,
  fiveClients,
  holdLock,
  siteOn,
  storedIn,
  testPlace,
} from './fixtures.ts'

/** Breaks the server from within on a signal, as an unknown bug would: twice, and with what is no error. */
const BUG = "for (const ms of [0, 50]) setTimeout(() => { throw { message: 'canary@b.example' } }, ms)"

async function siteWithBug() {
  const { NODE_OPTIONS } = withOverrides()
  const place = testPlace()
  const breaking = join(place, 'break.cjs')
  writeFileSync(breaking, `process.on('SIGUSR2', () => setImmediate(() => { ${BUG} }))`)
  const file = join(place, 'rsvp.db')
  const site = await siteOn(file, { variables: { NODE_OPTIONS: `${NODE_OPTIONS} --require ${breaking}` } })
  return { ...site, file, trigger: () => process.kill(site.pid ?? 0, 'SIGUSR2') }
}

describe('the end', () => {
  it('comes after everything in flight is stored and acknowledged', async () => {
    const DATABASE_URL = `file:${join(testPlace(), 'rsvp.db')}`
    const { child, ended, url } = await startAt(DATABASE_URL)
    const posts = await Promise.all(Array.from({ length: 20 }, () => beginPost({ url }, JSON.stringify(testRsvp()))))
    // A terminal and npm both pass a signal on, so it can come twice.
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      child.kill(signal)
      await wait(60)
    }
    for (const { finish } of posts) finish()
    for (const { text } of posts) expect(await text).toMatch(/\r\n\r\nHTTP\/1\.1 201/)
    expect(await ended).toEqual({ code: 0 })
    const again = await startBuiltServer({ DATABASE_URL })
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

  it('by a bug comes with 70 after a reply to everything in flight', async () => {
    const site = await siteWithBug()
    const clients = fiveClients(site)
    await clients.until(201)
    const printed = site.output().length
    const posts = Array.from({ length: 20 }, () => beginPost(site, JSON.stringify(canary('Ana Cole'))))
    const begun = await Promise.all(posts)
    site.trigger()
    await eventually(() => expect(site.output().slice(printed)).toContain('unexpected error'))
    await wait(100)
    for (const { finish } of begun) finish()
    for (const { text } of begun) expect(await text).toMatch(/\r\n\r\nHTTP\/1\.1 201/)
    expect(await site.ended).toBe(70)
    await clients.stop()

    // A late client was refused the connection; no client got a reply without meaning.
    for (const { status } of clients.seen) expect([201, 0]).toContain(status)
    const stored = storedIn(site.file)
    expectKept(clients, stored)
    expect(stored.filter(({ name }) => name === 'Ana Cole')).toHaveLength(20)
    // Where it broke may be told, in words that are all ours.
    const places = /"at":\[[^\]]*\]/g
    const said = site.output().slice(printed).replaceAll(places, '')
    expect(said.match(/unexpected error/g)).toHaveLength(2)
    expect(said).not.toMatch(/canary|rsvp-faults/i)
    expectNothingRevealed(said)
  })

  it('by kill -9 leaves every acknowledged RSVP in the file, whole, while another process fights for the lock', async () => {
    const file = join(testPlace(), 'rsvp.db')
    const site = await siteOn(file)
    await holdLock(file, { holdMs: 30, pauseMs: 20 })
    const names = Array.from({ length: 60 }, (_, number) => `Canary ${number}`)
    const acknowledged: string[] = []
    async function visitor() {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        // On a busy machine a client may have to retry, as the reply says: what was refused is not stored.
        for (let status = 0; status !== 201; ) {
          status = (await ask(site, 'POST /api/rsvp', { json: canary(name) })).status
          expect([201, 503]).toContain(status)
        }
        acknowledged.push(name)
      }
    }
    await Promise.all(Array.from({ length: 8 }, visitor))
    await site.kill()

    expect(acknowledged).toHaveLength(60)
    const expected = acknowledged.map((name) => ({ name, members: `${name} Junior`, roles: 2 }))
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
    expect(storedIn(file).toSorted(byName)).toEqual(expected.toSorted(byName))
  })
})
