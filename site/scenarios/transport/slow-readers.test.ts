import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { guardedSite, insertRsvps } from '#site/scenarios/guarded-fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

const STORED = 5000
/** Together more than there are places. */
const ROUNDS = 6
const ROUND = 16
/** A list that is longer than what the system keeps of it for a reader who takes nothing. */
const NAME_BYTES = 1000

/** Opens the list from an address of this computer and takes no more of it than `read` asks for. */
async function openList(site: Site, localAddress: string) {
  const taken = { bytes: 0 }
  const socket = connect({
    port: Number(new URL(site.url).port),
    host: '127.0.0.1',
    localAddress,
    onread: {
      buffer: Buffer.alloc(16),
      callback: (bytes) => {
        taken.bytes += bytes
        return false
      },
    },
  }).on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /api/rsvps HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return { socket, taken }
}

/** Asks for the list, and again where it breaks off: on a busy computer this process may be the slow reader. */
async function askAgain(site: Site, attempts = 20): Promise<Reply> {
  try {
    return await ask(site, 'GET /api/rsvps')
  } catch (error) {
    if (attempts === 1) throw error
    return askAgain(site, attempts - 1)
  }
}

describe(`a list of ${STORED}`, () => {
  // Whoever takes nothing for as long has to go.
  const site = guardedSite(withOverrides({ LIST_PAUSE_MS: 1500 }))
  const sockets: Socket[] = []
  beforeAll(() => insertRsvps(site(), STORED, `hex(randomblob(${NAME_BYTES}))`))
  afterEach(async () => {
    const ends = sockets.map((socket) => socket.destroyed || once(socket, 'close'))
    for (const socket of sockets.splice(0)) socket.destroy()
    await Promise.all(ends)
  })

  /** Opens the list once more from each of these addresses. */
  async function openSlowly(addresses: string[]) {
    const readers = await Promise.all(addresses.map((address) => openList(site(), address)))
    sockets.push(...readers.map(({ socket }) => socket))
    return readers
  }
  const expectWhole = async () => {
    const { status, body } = await askAgain(site())
    expect(status).toBe(200)
    expect(JSON.parse(body)).toHaveLength(STORED)
  }

  it('is there for other visitors while one network reads nothing of very many replies', async () => {
    await openSlowly(Array.from({ length: 160 }, () => '127.0.0.2'))
    for (let visitor = 0; visitor < 3; visitor += 1) await expectWhole()
    expect((await ask(site(), 'GET /share')).status).toBe(200)
  })

  it.each([
    ['in many networks', (number: number) => `127.0.1.${number + 1}`],
    ['in the same network', () => '127.0.0.1'],
  ])('is there for other visitors while more and more slow readers come %s', async (_, addressOf) => {
    const readers: Awaited<ReturnType<typeof openSlowly>> = []
    const dripping = setInterval(() => {
      for (const { socket } of readers.slice(ROUND)) socket.resume()
    }, 1000)
    onTestFinished(() => clearInterval(dripping))
    for (let opened = 0; opened < ROUNDS * ROUND; opened += ROUND) {
      readers.push(...(await openSlowly(Array.from({ length: ROUND }, (_, number) => addressOf(opened + number)))))
      await expectWhole()
    }
    // A few bytes at a time; the first ones took nothing.
    await eventually(() => expect(readers.at(-1)?.taken.bytes).toBeGreaterThan(0))
  })

  it('comes whole to a slow reader whose place no other client wants', async () => {
    const asked = request(`${site().url}/api/rsvps`, { agent: false }).end()
    const [reply] = await once(asked, 'response')
    let text = ''
    for await (const part of reply.setEncoding('latin1')) {
      text += part
      if (text.length < 3 * part.length) await wait(2000)
    }
    expect(JSON.parse(text)).toHaveLength(STORED)
  })
})
