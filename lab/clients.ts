import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Call, callOf, NoReply, type Reply, sendCall } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { SentRsvp } from './sent-rsvp.ts'

const VISITORS = 8
/** Some RSVPs with a key are sent twice, as by a phone on a bad line. */
const TWICE = 0.2
const CHANGED = 0.2
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
  const headers: Record<string, string> = rsvp.key === undefined ? {} : { 'idempotency-key': rsvp.key }
  const reply = await send(callOf(rsvp.entered ? 'POST /api/rsvps' : 'POST /api/rsvp', rsvp.body, headers))
  if (reply?.status === 201) {
    const { id, link } = JSON.parse(reply.body)
    ledger.acknowledge(rsvp, id)
    rsvp.link ??= link === undefined ? undefined : (new URL(link).searchParams.get('key') ?? undefined)
  } else if (reply !== undefined) rsvp.refused++
  return reply
}

/** Changes an RSVP: by its private link, or as an administrator where it has none. */
export async function changeRsvp(
  rsvp: SentRsvp,
  { ledger, random }: { ledger: Ledger; random: Random },
  send: (call: Call) => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  const { link, ids } = rsvp
  const version = ledger.askToChange(rsvp, random)
  const reply = await send(
    link === undefined
      ? callOf(`PATCH /api/rsvps/${ids[0]}`, version)
      : callOf('PATCH /api/answer', version, { 'link-key': link }),
  )
  ledger.changed(rsvp, reply?.status === 200 || reply?.status === 204)
  return reply
}

/** Starts visitors who send one RSVP after the other, and change some. Any reply but a success is a finding. */
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

  function expectStatus({ token }: SentRsvp, status: number, reply: Reply | undefined): void {
    if (reply !== undefined && reply.status !== status) ledger.complain(`${token} got ${reply.status}: ${reply.body}`)
  }

  const clients = startClients(VISITORS, async () => {
    const rsvp = ledger.newRsvp(random)
    const times = rsvp.key !== undefined && random.chance(TWICE) ? 2 : 1
    for (let time = 0; time < times; time++) expectStatus(rsvp, 201, await sendRsvp(rsvp, ledger, send))
    if (rsvp.link !== undefined && random.chance(CHANGED))
      expectStatus(rsvp, 200, await changeRsvp(rsvp, { ledger, random }, send))
  })
  return {
    async stop() {
      await clients.stop()
      agent.destroy()
    },
  }
}
