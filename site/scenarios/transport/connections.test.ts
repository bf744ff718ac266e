import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { exchange, expectUnharmed, testSite } from '#site/scenarios/fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'

/** The server's timeout is 10 s; a busy machine may take this long. Node's own defaults are one and five minutes. */
const LONGEST_MS = 40_000
const site = testSite()

it('a request that is never finished gets a 408, also where a byte comes each second', async () => {
  const { host, hostname, port } = new URL(site().url)
  const post = `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
  const beginnings = [`${post}Content-Length: 500\r\n\r\n{"name":"Ana`, `${post}X-A: a`]
  const dripping = connect(Number(port), hostname).on('error', () => {})
  dripping.resume().write(`${post}Content-Length: 500\r\n\r\n`)
  const drops = setInterval(() => dripping.write(' '), 1000)
  const started = performance.now()
  for (const { status, text } of await Promise.all(beginnings.map((bytes) => exchange(site(), bytes)))) {
    expect(status).toBe(408)
    expectSecurityHeaders(headersIn(text))
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '').detail).toContain('too long')
  }
  if (!dripping.closed) await once(dripping, 'close')
  clearInterval(drops)
  expect(performance.now() - started).toBeLessThan(LONGEST_MS)
  await expectUnharmed(site(), 0)
})
