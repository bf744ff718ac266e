import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { beginPost } from '#site/scenarios/begin-post-fixtures.ts'
import { expectNothingRevealed } from '#site/scenarios/fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'
import { canary, eventually, expectKept, fiveClients, siteOn, storedIn, testPlace } from './fixtures.ts'

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

describe('a bug in the server', () => {
  it('ends it with 70 after a reply to everything in flight', async () => {
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
})
