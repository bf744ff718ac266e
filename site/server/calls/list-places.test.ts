import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { afterTest, testPlace } from '#site/scenarios/faults/fixtures.ts'
import { takePlace } from './list-places.ts'

const OPEN_MAXIMUM = 64
const PIECE = Buffer.alloc(50_000, 'a')
const PIECES = 20
/** So that the pieces leave with more than a second in between. */
const BYTES_PER_MS = 100

/** Serves lists at a local socket: for a network connection the system keeps most of a list that no client reads. */
async function listServer(): Promise<string> {
  const socketPath = join(testPlace(), 'lists.sock')
  const server = createServer(async ({ headers }, reply) => {
    const inTurn = await takePlace({ network: String(headers.from), reply })
    const pieces = async function* () {
      for (let made = 0; made < PIECES; made += 1) yield await inTurn(async () => PIECE)
    }
    // Some are hung up on, on purpose.
    await pipeline(Readable.from(pieces(), { objectMode: false }), reply).catch(() => {})
  }).listen(socketPath)
  afterTest(() => server.close())
  await once(server, 'listening')
  return socketPath
}

/** Asks for a list and takes nothing of it yet. */
async function open(socketPath: string, network: string): Promise<IncomingMessage> {
  const asked = request({ socketPath, headers: { from: network }, agent: false }).on('error', () => {})
  afterTest(() => asked.destroy())
  const [reply] = await once(asked.end(), 'response')
  return reply.on('error', () => {})
}

describe('with more readers than places', () => {
  it('hangs up on those who read nothing, not on those who read slowly', async () => {
    const socketPath = await listServer()
    // The network with the most lists: its first stalled connection would be closed.
    const slow = await Promise.all([open(socketPath, 'slow'), open(socketPath, 'slow')])
    const idle = Array.from({ length: OPEN_MAXIMUM - slow.length }, (_, number) => open(socketPath, `idle ${number}`))
    await Promise.all(idle)
    let served = 0
    let reading = true
    const taken = Promise.all(slow.map(takeSlowly)).finally(() => {
      reading = false
    })
    // They want places all the time, and take nothing of what they get.
    for (let newcomer = 0; reading; newcomer += 1) {
      const serve = async () => {
        await open(socketPath, `newcomer ${newcomer}`)
        served += 1
      }
      serve().catch(() => {})
      await wait(200)
    }
    expect(await taken).toEqual(slow.map(() => PIECES * PIECE.length))
    expect(served).toBeGreaterThan(slow.length)
  })
})

async function takeSlowly(reply: IncomingMessage): Promise<number> {
  let bytes = 0
  try {
    for await (const part of reply) {
      bytes += part.length
      await wait(part.length / BYTES_PER_MS)
    }
  } catch {
    // Broken off: so much has come.
  }
  return bytes
}
