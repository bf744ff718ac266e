import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { beginPost } from '#site/scenarios/begin-post-fixtures.ts'
import { ask, exchange, expectUnharmed, type Site } from '#site/scenarios/fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

const IDLE = 2000
/** The server's timeout is 10 s; a busy machine may take this long. Node's own defaults are one and five minutes. */
const LONGEST_MS = 40_000

// Each waits for the server's real timeouts, so they wait concurrently; all clients share one server.
describe('clients that take their time', () => {
  describeInBothModes('of one server', (site) => {
    it.concurrent('get a 408 for a request that they never finish', async () => {
      const { host } = new URL(site().url)
      const post = `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
      const beginnings = {
        'a body': `${post}Content-Length: 500\r\n\r\n{"name":"Ana`,
        chunks: `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`,
        'a password': `${post.replace('rsvp', 'session')}Content-Length: 500\r\n\r\n{"password":"`,
        'a header': `GET /share HTTP/1.1\r\nHost: ${host}\r\nX-A: a`,
        'a request line': 'GET /sha',
      }
      const waits = Object.entries(beginnings).map(async ([what, bytes]) => ({
        what,
        ...(await exchange(site(), bytes)),
      }))
      for (const { what, status, text, ms } of await Promise.all(waits)) {
        expect({ what, status }).toEqual({ what, status: 408 })
        expectSecurityHeaders(headersIn(text))
        expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
          detail: expect.stringContaining('too long'),
        })
        expect(ms).toBeGreaterThan(9_500)
        expect(ms).toBeLessThan(LONGEST_MS)
      }
    })

    it.concurrent('get no more time by sending one byte a second', async () => {
      const { host } = new URL(site().url)
      const socket = await open(site())
      const started = performance.now()
      socket.write(
        `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`,
      )
      const dripping = setInterval(() => socket.write(' '), 1000)
      await once(socket, 'close')
      clearInterval(dripping)
      expect(performance.now() - started).toBeLessThan(LONGEST_MS)
    })

    it.concurrent(`do not delay others with ${IDLE} idle connections, which the server closes`, async () => {
      const alone = await quickestPost(site())
      const sockets: Socket[] = []
      // A hundred at a time: the server never sees a connection that overflows the queue of new ones.
      while (sockets.length < IDLE)
        sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(site())))))
      const opened = performance.now()
      const ends = sockets.map((socket) => once(socket, 'close'))
      expect(await quickestPost(site())).toBeLessThan(500 + 10 * alone)
      await Promise.all(ends)
      expect(performance.now() - opened).toBeLessThan(LONGEST_MS)
    })

    it('leave the server unharmed', async () => {
      await expectUnharmed(site(), 6)
    })
  })

  it('do not keep the server from stopping', async () => {
    const stopping = await startBuiltServer(withOverrides({ DRAIN_TIMEOUT_MS: 3000 }))
    await beginPost(stopping, JSON.stringify(testRsvp()))
    // EXIT_TIMEOUT_MS would end it two seconds later in any case, but with 1.
    expect(await stopping.stop()).toBe(0)
  })
})

/** How long an RSVP takes, in ms; the best of three. */
async function quickestPost(site: Site): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const started = performance.now()
    expect((await ask(asVisitor(site), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    times.push(performance.now() - started)
  }
  return Math.min(...times)
}

async function open({ url }: Site): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => {}).resume()
}
