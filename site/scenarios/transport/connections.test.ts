import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { beginPost } from '#site/scenarios/begin-post-fixtures.ts'
import { NO_MOUNT, smallDisk } from '#site/scenarios/faults/disk-fixtures.ts'
import { eventually, siteOn } from '#site/scenarios/faults/fixtures.ts'
import { ask, exchange, expectUnharmed, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { expectSecurityHeaders, headersIn } from '#site/scenarios/header-fixtures.ts'

const IDLE = 200
/** The server's timeout is 10 s; a busy machine may take this long. Node's own defaults are one and five minutes. */
const LONGEST_MS = 40_000
const REQUESTS_PER_CONNECTION = 100
/** What Node reads from a connection at once, in bytes. */
const ONE_READING = 64 * 1024

const get = (site: Site, path: string) => `GET ${path} HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\n\r\n`
const statusesIn = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))

async function open({ url }: Pick<Site, 'url'>): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, '')).on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The statuses of the replies to so many requests that are sent ahead on one connection. */
async function statusesAhead(site: Site, path: string, count: number): Promise<number[]> {
  const socket = await open(site)
  let text = ''
  socket.setEncoding('latin1').on('data', (received) => {
    text += received
  })
  socket.write(get(site, path).repeat(count))
  await vi.waitFor(() => expect(statusesIn(text).length).toBeGreaterThanOrEqual(count), { timeout: 120_000 })
  socket.destroy()
  return statusesIn(text)
}

/** The first hundred are served, the others refused. */
const servedOf = (count: number) =>
  Array.from({ length: count }, (_, place) => (place < REQUESTS_PER_CONNECTION ? 200 : 503))

// These and the next wait for the server's real timeouts, and for all of its time, side by side.
describe.concurrent('clients that take their time', () => {
  const site = testSite()

  it('get a 408 for a request that they never finish, also where they send a byte a second', async () => {
    const { host } = new URL(site().url)
    const post = `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
    const beginnings = {
      'a body': `${post}Content-Length: 500\r\n\r\n{"name":"Ana`,
      chunks: `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`,
      'a header': `GET /share HTTP/1.1\r\nHost: ${host}\r\nX-A: a`,
      'a request line': 'GET /sha',
    }
    const dripping = await open(site())
    dripping.resume().write(`${post}Content-Length: 500\r\n\r\n`)
    const drops = setInterval(() => dripping.write(' '), 1000)
    const started = performance.now()
    const waits = Object.entries(beginnings).map(
      async ([what, bytes]) => [what, await exchange(site(), bytes)] as const,
    )
    for (const [what, { status, text, ms }] of await Promise.all(waits)) {
      expect([what, status]).toEqual([what, 408])
      expectSecurityHeaders(headersIn(text))
      expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '').detail).toContain('too long')
      expect(ms).toBeGreaterThan(9_500)
      expect(ms).toBeLessThan(LONGEST_MS)
    }
    if (!dripping.closed) await once(dripping, 'close')
    clearInterval(drops)
    expect(performance.now() - started).toBeLessThan(LONGEST_MS)
    await expectUnharmed(site(), 0)
  })

  it('are disconnected where they send a refused body for ever, after one reply that comes at once', async () => {
    const { host } = new URL(site().url)
    const dripping = (await open(site())).setEncoding('latin1')
    let text = ''
    dripping.on('data', (received) => {
      text += received
    })
    dripping.write(
      `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip, br\r\nContent-Length: 5000000\r\n\r\n`,
    )
    const drops = setInterval(() => dripping.write(' '), 1000)
    await vi.waitFor(() => expect(statusesIn(text)).toEqual([413]), { timeout: 2000 })
    await once(dripping, 'close')
    clearInterval(drops)
    expect(statusesIn(text)).toEqual([413])
  })

  it(`are disconnected, all ${IDLE} that lie idle, and delay no one`, async () => {
    const quickest = async () => {
      const times: number[] = []
      for (let attempt = 0; attempt < 3; attempt++) {
        const started = performance.now()
        expect((await ask(site(), 'GET /api/features')).status).toBe(200)
        times.push(performance.now() - started)
      }
      return Math.min(...times)
    }
    const alone = await quickest()
    const sockets: Socket[] = []
    // A hundred at a time: the server never sees a connection that overflows the queue of new ones.
    while (sockets.length < IDLE) sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(site())))))
    const opened = performance.now()
    const ends = sockets.map((socket) => once(socket.resume(), 'close'))
    expect(await quickest()).toBeLessThan(500 + 10 * alone)
    await Promise.all(ends)
    expect(performance.now() - opened).toBeLessThan(LONGEST_MS)
  })
})

describe.concurrent('requests that are sent ahead on one connection', () => {
  const site = testSite({ NODE_OPTIONS: '--max-old-space-size=160' })

  it('are served up to a hundred, the others refused', async () => {
    expect(await statusesAhead(site(), '/api/features', 200)).toEqual(servedOf(200))
  })

  it('by the thousand, for pages that are never read, exhaust neither the memory of the site nor its time', async () => {
    const bytes = get(site(), '/share').repeat(Math.floor(ONE_READING / get(site(), '/share').length))
    const sockets = await Promise.all(Array.from({ length: 3 }, () => open(site())))
    for (const socket of sockets) socket.pause().write(bytes)
    await eventually(() => expectUnharmed(site(), 0))
    for (const socket of sockets) socket.destroy()
    // Until what was begun for them is done, the site says that it is busy.
    await vi.waitFor(
      async () => {
        const replies = await Promise.all(Array.from({ length: 20 }, () => ask(site(), 'GET /share')))
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      },
      { timeout: 60_000 },
    )
  })
})

describe('a site on both addresses of localhost', () => {
  /** As on most computers; this one may have no IPv6. */
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
  const second = hasIpv6 ? '::1' : '127.0.0.2'

  it('limits each connection to either, and acknowledges what is in flight on both before it ends', async ({
    skip,
  }) => {
    const hosts = `printf "127.0.0.1 localhost\\n${second} localhost\\n" > "$PLACE/hosts"`
    const place = await smallDisk(`${hosts} && mount --bind "$PLACE/hosts" /etc/hosts`)
    if (place === undefined) return skip(NO_MOUNT)
    const first = await siteOn(place.file, { within: place.within, variables: { HOST: 'localhost' } })
    const other = { ...first, url: first.url.replace('127.0.0.1', hasIpv6 ? `[${second}]` : second) }
    for (const site of [first, other]) expect(await statusesAhead(site, '/api/features', 150)).toEqual(servedOf(150))
    const begun = await Promise.all([first, other].map((site) => beginPost(site, JSON.stringify(testRsvp()))))
    const stopped = first.stop()
    await wait(1000)
    for (const { finish } of begun) finish()
    for (const { text } of begun) expect(await text).toMatch(/\r\n\r\nHTTP\/1\.1 201/)
    expect(await stopped).toBe(0)
  })
})
