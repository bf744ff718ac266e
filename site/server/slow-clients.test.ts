import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, exchange, expectUnharmed, useSite } from './fixtures.ts'

const site = useSite()
const IDLE = 2000

// Each waits out the server's real patience, so they wait together; every client has the server to share with the others.
describe('clients that take their time', { timeout: 30_000 }, () => {
  it.concurrent.each<[string, number, string]>([
    ['a body that never ends', 12_000, 'POST /api/rsvp HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":"Ana'],
    ['chunks that never end', 12_000, 'POST /api/rsvp HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam'],
    ['a header that never ends', 12_000, 'GET /share HTTP/1.1\r\nHost: HOST\r\nX-A: a'],
    ['half a request line', 12_000, 'GET /sha'],
  ])('get a 408 for %s', async (_, patience, start) => {
    const { status, text, ms } = await exchange(site(), start.replace('HOST', new URL(site().url).host))
    expect(status).toBe(408)
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ detail: expect.stringContaining('too long') })
    expect(ms).toBeGreaterThan(9_500)
    expect(ms).toBeLessThan(patience)
  })

  it.concurrent('get no longer by dripping a byte a second', async () => {
    const { host, port } = new URL(site().url)
    const socket = connect(Number(port), '127.0.0.1')
    const started = performance.now()
    socket.on('error', () => {}).resume()
    socket.write(`POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`)
    const dripping = setInterval(() => socket.write(' '), 1000)
    await once(socket, 'close')
    clearInterval(dripping)
    expect(performance.now() - started).toBeLessThan(13_000)
  })

  it.concurrent(`do not keep others waiting when ${IDLE} connections stay idle, and are let go`, async () => {
    const sockets: Socket[] = []
    // A few at a time: what overflows the queue of new connections is known to the client only.
    while (sockets.length < IDLE) sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))))
    const opened = performance.now()
    const ends = sockets.map((socket) => once(socket, 'close'))
    await wait(100)
    const started = performance.now()
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    expect(performance.now() - started).toBeLessThan(500)
    await Promise.all(ends)
    expect(performance.now() - opened).toBeLessThan(12_000)
  })

  it('leave nothing behind', async () => {
    await expectUnharmed(site(), 1)
  })
})

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(site().url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => {}).resume()
}
