import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, exchange, expectUnharmed, type Site, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'

const READ_AT_ONCE = 8

/** What Node reads from a connection at once, in bytes. */
const ONE_READING = 64 * 1024

const get = (site: Site, path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, `Host: ${new URL(site.url).host}`, ...headers].join('\r\n')}\r\n\r\n`
const post = (site: Site, json: string) =>
  `POST /api/rsvp HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
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

  it('get their replies in order, each after the reply to the one before it', async () => {
    const ahead = ['Bea', 'Cleo', 'Dina'].map((name) => post(site(), JSON.stringify(testRsvp({ name }))))
    const { text } = await exchange(site(), `${ahead.join('')}${get(site(), '/api/rsvps', 'Connection: close')}`)
    expect(statusesIn(text)).toEqual([201, 201, 201, 200])
    expect(text.match(/"name":"\w+"/g)).toEqual(['"name":"Dina"', '"name":"Cleo"', '"name":"Bea"'])
  })

  it.each(['/share', '/api/features', '/%zz', '/favicon.svg'])('are read no further than eight: %s', async (path) => {
    const { text } = await exchange(site(), get(site(), path).repeat(1000))
    expect(statusesIn(text)).toHaveLength(READ_AT_ONCE)
  })

  it('may be as many as one likes, one after the other', async () => {
    const port = Number(new URL(site().url).port)
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    for (let asked = 0; asked < 30; asked += 1) {
      socket.write(get(site(), '/api/features'))
      const [reply] = await once(socket, 'data')
      expect(statusesIn(reply)).toEqual([200])
    }
    socket.destroy()
  })

  it('store nothing once the client that sent them is gone', async () => {
    const before = (await storedRsvps(site())).length
    const slow = get(site(), '/')
    const socket = await openUnread(site(), `${slow.repeat(3)}${post(site(), JSON.stringify(testRsvp()))}`)
    socket.destroy()
    await expectUnharmed(site(), before)
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
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(site(), 'GET /share')))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  })
})
