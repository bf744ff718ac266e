import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exchange, expectNothingRevealed, expectUnharmed, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

/** The server's timeout is 10 s; a busy machine may take this long. Node's own defaults are one and five minutes. */
const LONGEST_MS = 40_000
const json = JSON.stringify(testRsvp())
const whole = `Content-Length: ${json.length}`
const chunked = 'Transfer-Encoding: chunked'

/** A request as it goes over the line. `HOST` stands for the server's own name and port. */
function bytes(requestLine: string, headers: string[] = [], body = ''): string {
  return `${[requestLine, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}

const get = (...headers: string[]) => bytes('GET /share HTTP/1.1', headers)
const post = (headers: string[], body: string) =>
  bytes('POST /api/rsvp HTTP/1.1', ['Host: HOST', 'Content-Type: application/json', ...headers], body)

const send = (site: Site, request: string) => exchange(site, request.replaceAll('HOST', new URL(site.url).host))

function expectSentence(text: string, status: number): void {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/content-type: application\/problem\+json/i)
  expect(head).toMatch(/x-content-type-options: nosniff/i)
  expect(JSON.parse(body)).toMatchObject({ status, title: expect.any(String), detail: expect.stringMatching(/\.$/) })
  expectNothingRevealed(text)
}

describe('the transport', () => {
  const site = testSite()

  it.each<[string, number, string]>([
    // What else a Host or a target may be is decided by the guard, whose test has them all.
    ['two Host lines', 400, get('Host: HOST', 'Host: HOST')],
    ['no Host', 400, get()],
    ['HTTP/1.0 without Host', 421, bytes('GET /share HTTP/1.0')],
    ['an absolute target', 400, bytes('GET http://HOST/share HTTP/1.1', ['Host: HOST'])],
    ['Content-Length and Transfer-Encoding', 400, post([whole, chunked], `0\r\n\r\n${json}`)],
    ['a NUL in the address', 400, bytes('GET /a\0b HTTP/1.1', ['Host: HOST'])],
    ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['1,000 headers', 431, get('Host: HOST', ...Array.from({ length: 1000 }, (_, number) => `X-Header-${number}: a`))],
    ['an address of 2,049', 414, bytes(`GET /share?${'a'.repeat(2042)} HTTP/1.1`, ['Host: HOST'])],
    ['Content-Encoding', 415, post(['Content-Encoding: gzip', whole], json)],
    ['100 KB in chunks', 413, post([chunked], `${`400\r\n${'x'.repeat(1024)}\r\n`.repeat(100)}0\r\n\r\n`)],
  ])('refuses %s: %i', async (_, expected, request) => {
    const { status, text } = await send(site(), request)
    expect(status).toBe(expected)
    expectSentence(text, expected)
  })

  // As a proxy does.
  const filled = 'x'.repeat(5_000_000)
  const length = `Content-Length: ${filled.length}`
  const foreign = ['Origin: https://evil.example', 'Accept-Encoding: gzip, br']
  it.each<[number, string, string]>([
    [413, '5 MB', post([length], filled)],
    [403, '5 MB of another site', post([...foreign, length], filled)],
  ])('tells with a %i who reads its reply only after sending all of %s', async (status, _, request) => {
    const { host, port } = new URL(site().url)
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8').pause()
    const all = Buffer.from(request.replaceAll('HOST', host))
    for (let sent = 0; sent < all.length; sent += 500_000) {
      socket.write(all.subarray(sent, sent + 500_000))
      await wait(2)
    }
    expectSentence((await socket.toArray()).join(''), status)
  })

  it('replies to no second request behind a malformed one', async () => {
    const smuggled = post([whole], json)
    const { text } = await send(site(), post(['Content-Length: 5', chunked], `0\r\n\r\n${smuggled}`))
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    await expectUnharmed(site(), 0)
  })

  it.each<[string, string]>([
    ['Content-Length', post([`Content-Length: ${json.length + 1}`], json)],
    ['Transfer-Encoding', post([chunked], `${json.length.toString(16)}\r\n${json}\r\n`)],
  ])('stores nothing when the client goes away in mid-body (%s)', async (_, request) => {
    const { host, port } = new URL(site().url)
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {}).resume()
      socket.write(request.replaceAll('HOST', host))
      await wait(20)
      socket[leave]()
      await wait(20)
    }
    await expectUnharmed(site(), 0)
  })

  it('gives a request that is never finished a 408, also where a byte comes each second', async () => {
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
})
