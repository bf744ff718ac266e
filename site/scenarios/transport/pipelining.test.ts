import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { ask, exchange, expectUnharmed, type Site, testSite } from '#site/scenarios/fixtures.ts'

const REQUESTS_PER_CONNECTION = 100

/** What Node reads from a connection at once, in bytes. */
const ONE_READING = 64 * 1024

const get = (site: Site, path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, `Host: ${new URL(site.url).host}`, ...headers].join('\r\n')}\r\n\r\n`
const statusesIn = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))

/** Opens a connection that sends all this at once and reads nothing. */
async function openUnread(site: Site, bytes: string) {
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => {})
  await once(socket.pause(), 'connect')
  socket.write(bytes)
  return socket
}

describe('requests that are sent ahead on one connection', () => {
  const site = testSite()

  it('get their replies in the order in which they were sent', async () => {
    const ahead = ['/api/features', '/nope', '/%zz'].map((path) => get(site(), path))
    const { text } = await exchange(site(), `${ahead.join('')}${get(site(), '/api/rsvps', 'Connection: close')}`)
    expect(statusesIn(text)).toEqual([200, 404, 400, 200])
  })

  it.each(['/share', '/api/features', '/favicon.svg'])(
    'are served up to a hundred, the others refused: %s',
    async (path) => {
      const socket = await openUnread(site(), get(site(), path).repeat(300))
      let text = ''
      socket.setEncoding('latin1').on('data', (received) => {
        text += received
      })
      socket.resume()
      await vi.waitFor(() => expect(statusesIn(text)).toHaveLength(300), 20_000)
      socket.destroy()
      const expected = Array.from({ length: 300 }, (_, place) => (place < REQUESTS_PER_CONNECTION ? 200 : 503))
      expect(statusesIn(text)).toEqual(expected)
    },
  )

  it('may be as many as one likes, one after the other, over more than one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (let asked = 0; asked < REQUESTS_PER_CONNECTION + 20; asked += 1) {
      const [reply] = await once(request(`${site().url}/api/features`, { agent }).end(), 'response')
      ports.add(reply.socket.localPort)
      await once(reply.resume(), 'end')
      expect(reply.statusCode).toBe(200)
    }
    agent.destroy()
    expect(ports.size).toBe(2)
  })
})

describe('a thousand requested pages that the client does not read', () => {
  const site = testSite({ NODE_OPTIONS: '--max-old-space-size=160' })

  it('exhaust neither the memory of the site nor its time', async () => {
    const bytes = get(site(), '/share').repeat(Math.floor(ONE_READING / get(site(), '/share').length))
    const sockets = await Promise.all(Array.from({ length: 12 }, () => openUnread(site(), bytes)))
    expect((await ask(site(), 'GET /api/health')).status).toBe(200)
    await expectUnharmed(site(), 0)
    for (const socket of sockets) socket.destroy()
    // Until what was begun for them is done, the site says that it is busy.
    await vi.waitFor(async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(site(), 'GET /share')))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    }, 20_000)
  })
})
