import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { exchange, expectNothingRevealed, expectUnharmed, testSite } from './fixtures.ts'

const site = testSite()
const json = JSON.stringify(testRsvp())

/** A request as it goes over the line. `HOST` stands for the server's own name and port. */
function bytes(requestLine: string, headers: string[] = [], body = ''): string {
  const { host } = new URL(site().url)
  const lines = [requestLine, ...headers.map((line) => line.replace('HOST', host)), 'Connection: close']
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const post = (headers: string[], body: string) =>
  bytes('POST /api/rsvp HTTP/1.1', ['Host: HOST', 'Content-Type: application/json', ...headers], body)

function expectSentence(text: string, status: number): void {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/content-type: application\/problem\+json/i)
  expect(head).toMatch(/x-content-type-options: nosniff/i)
  expect(JSON.parse(body)).toMatchObject({ status, title: expect.any(String), detail: expect.stringMatching(/\.$/) })
  expectNothingRevealed(text)
}

describe('the transport', () => {
  it.each<[string, number, () => string]>([
    ['two Host lines', 400, () => bytes('GET /share HTTP/1.1', ['Host: HOST', 'Host: HOST'])],
    ['two different Host lines', 400, () => bytes('GET /share HTTP/1.1', ['Host: HOST', 'host: evil.example'])],
    ['no Host', 400, () => bytes('GET /share HTTP/1.1')],
    ['an empty Host', 400, () => bytes('GET /share HTTP/1.1', ['Host:'])],
    ['a Host with a path', 400, () => bytes('GET /share HTTP/1.1', ['Host: localhost/admin?'])],
    ['a Host with a user', 400, () => bytes('GET /share HTTP/1.1', ['Host: me@localhost'])],
    ['a Host with a port that cannot be', 400, () => bytes('GET /share HTTP/1.1', ['Host: localhost:99999'])],
    ['a foreign Host', 421, () => bytes('GET /share HTTP/1.1', ['Host: evil.example'])],
    ['a Host that ends like ours', 421, () => bytes('GET /share HTTP/1.1', ['Host: localhost.evil.example'])],
    ['HTTP/1.0', 421, () => bytes('GET /share HTTP/1.0', ['Host: HOST'])],
    ['HTTP/1.0 without Host', 421, () => bytes('GET /share HTTP/1.0')],
    ['HTTP/2.0 in words', 421, () => bytes('GET /share HTTP/2.0', ['Host: HOST'])],
    ['an absolute target', 400, () => bytes(`GET ${site().url}/share HTTP/1.1`, ['Host: HOST'])],
    ['the target *', 400, () => bytes('OPTIONS * HTTP/1.1', ['Host: HOST'])],
    ['a target with a hash', 400, () => bytes('DELETE /api/rsvps/1#x HTTP/1.1', ['Host: HOST'])],
    [
      'Content-Length and Transfer-Encoding',
      400,
      () => post([`Content-Length: ${json.length}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${json}`),
    ],
    ['two Content-Lengths', 400, () => post([`Content-Length: ${json.length}`, 'Content-Length: 0'], json)],
    ['a Content-Length below zero', 400, () => post(['Content-Length: -1'], json)],
    ['chunks that are none', 400, () => post(['Transfer-Encoding: chunked'], 'zz\r\n\r\n')],
    ['a folded header', 400, () => bytes('GET /share HTTP/1.1', ['Host: HOST', 'X-A: a', ' b'])],
    ['a space before the colon', 400, () => bytes('GET /share HTTP/1.1', ['Host : HOST'])],
    ['an unknown method', 400, () => bytes('BREW /share HTTP/1.1', ['Host: HOST'])],
    ['a NUL in the address', 400, () => bytes('GET /a\0b HTTP/1.1', ['Host: HOST'])],
    ['a bad escape in the address', 400, () => bytes('GET /%zz HTTP/1.1', ['Host: HOST'])],
    ['TLS', 400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a header of 9 KB', 431, () => bytes('GET /share HTTP/1.1', ['Host: HOST', `X-A: ${'a'.repeat(9000)}`])],
    [
      '1,000 headers',
      431,
      () =>
        bytes('GET /share HTTP/1.1', [
          'Host: HOST',
          ...Array.from({ length: 1000 }, (_, number) => `X-Header-${number}: a`),
        ]),
    ],
    ['an address of 2,049', 414, () => bytes(`GET /share?${'a'.repeat(2042)} HTTP/1.1`, ['Host: HOST'])],
    ['Content-Encoding', 415, () => post(['Content-Encoding: gzip', `Content-Length: ${json.length}`], json)],
    ['a body of 50 MB', 413, () => post([`Content-Length: ${50 * 1024 ** 2}`], 'x'.repeat(1024 ** 2))],
    [
      '100 KB in chunks',
      413,
      () => post(['Transfer-Encoding: chunked'], `${`400\r\n${'x'.repeat(1024)}\r\n`.repeat(100)}0\r\n\r\n`),
    ],
    ['X-Forwarded-For', 421, () => bytes('GET /share HTTP/1.1', ['Host: HOST', 'X-Forwarded-For: 127.0.0.1'])],
  ])('refuses %s: %i', async (_, expected, request) => {
    const { status, text, ms } = await exchange(site(), request())
    expect(status).toBe(expected)
    expectSentence(text, expected)
    expect(ms).toBeLessThan(100)
    await expectUnharmed(site(), 0)
  })

  it('serves an address of 2,048 characters', async () => {
    const { status } = await exchange(site(), bytes(`GET /share?${'a'.repeat(2041)} HTTP/1.1`, ['Host: HOST']))
    expect(status).toBe(200)
  })

  it('answers no second request behind one that was broken', async () => {
    const smuggled = bytes(
      'POST /api/rsvp HTTP/1.1',
      ['Host: HOST', 'Content-Type: application/json', `Content-Length: ${json.length}`],
      json,
    )
    const { text } = await exchange(
      site(),
      post(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
    )
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    await expectUnharmed(site(), 0)
  })

  it('does not switch to another protocol', async () => {
    const request = bytes('GET /share HTTP/1.1', ['Host: HOST', 'Upgrade: websocket', 'Connection: Upgrade'])
    expect((await exchange(site(), request)).status).toBe(200)
    expect((await exchange(site(), 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n')).text).toBe('')
  })

  it.each(['Content-Length', 'Transfer-Encoding'])(
    'stores nothing when the client goes away in mid-body (%s)',
    async (by) => {
      const headers = by === 'Content-Length' ? [`Content-Length: ${json.length + 1}`] : ['Transfer-Encoding: chunked']
      const body = by === 'Content-Length' ? json : `${json.length.toString(16)}\r\n${json}\r\n`
      for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
        const socket = connect(Number(new URL(site().url).port), '127.0.0.1')
        socket.on('error', () => {}).resume()
        socket.write(post(headers, body))
        await wait(20)
        socket[leave]()
        await wait(20)
      }
      await expectUnharmed(site(), 0)
    },
  )
})
