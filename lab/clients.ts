import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Call, callOf, NoReply, type Reply, sendCall } from './exchange.ts'
import type { Ledger, SentRsvp } from './ledger.ts'
import type { Random } from './random.ts'

const VISITORS = 8
/** Some RSVPs with a key are sent twice, as by a phone on a bad line. */
const TWICE = 0.2
const PAUSE_MS = 20

/** Clients at work. */
export type Clients = { stop(): Promise<void> }

/** Starts `count` clients side by side. Each repeats its work, one call after the other, until all are stopped. */
export function startClients(count: number, work: (client: number) => Promise<unknown>): Clients {
  let isOver = false
  const clients = Array.from({ length: count }, async (_, client) => {
    while (!isOver) await work(client)
  })
  const ended = Promise.all(clients)
  // A bug in `work` is thrown by stop().
  ended.catch(() => {})
  return {
    async stop() {
      isOver = true
      await ended
    },
  }
}

/** Sends an RSVP and records the reply. Without a reply nothing is promised. */
export async function sendRsvp(
  rsvp: SentRsvp,
  ledger: Ledger,
  send: (call: Call) => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  rsvp.times++
  const reply = await send(
    callOf('POST /api/rsvp', rsvp.body, rsvp.key === undefined ? {} : { 'idempotency-key': rsvp.key }),
  )
  if (reply?.status === 201) ledger.acknowledge(rsvp, JSON.parse(reply.body).id)
  else if (reply !== undefined) rsvp.refused++
  return reply
}

/** Starts visitors who send one RSVP after the other. Any reply but 201 is a finding. */
export function startVisitors(url: string, ledger: Ledger, random: Random): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: VISITORS })

  async function send(call: Call): Promise<Reply | undefined> {
    try {
      return await sendCall(url, agent, call)
    } catch (error) {
      if (!(error instanceof NoReply)) throw error
      await wait(PAUSE_MS)
      return undefined
    }
  }

  const clients = startClients(VISITORS, async () => {
    const rsvp = ledger.newRsvp(random)
    const times = rsvp.key !== undefined && random.chance(TWICE) ? 2 : 1
    for (let time = 0; time < times; time++) {
      const reply = await sendRsvp(rsvp, ledger, send)
      if (reply !== undefined && reply.status !== 201)
        ledger.complain(`${rsvp.token} got ${reply.status}: ${reply.body}`)
    }
  })
  return {
    async stop() {
      await clients.stop()
      agent.destroy()
    },
  }
}
