import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clients, sendRsvp, startClients } from '../clients.ts'
import { type Call, callOf, NoReply, type Reply, sendCall } from '../exchange.ts'
import type { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import type { SentRsvp } from '../sent-rsvp.ts'

/** Some clients keep their connection, as browsers and proxies do; others open a new one for each request. */
const KEEPING = 8
const RECONNECTING = 4
const PAUSE_MS = 20

/** What `Ledger.count` counts. */
export const REPLIES = 'replies'
/** Connections while no process was listening. */
export const REFUSED = 'refused'
/**
 * Connections that the system had accepted and the site had not when it stopped listening: the system resets them. Had
 * the site taken such a request, its RSVP would be stored twice, because it is sent again without a key.
 */
export const TURNED_AWAY = 'turned away'

/** Starts clients that send requests without a pause: every other one is an RSVP, the others read a page. */
export function startBusyClients(url: string, ledger: Ledger, random: Random): Clients {
  let isOver = false
  const agents = Array.from(
    { length: KEEPING + RECONNECTING },
    (_, client) => new Agent({ keepAlive: client < KEEPING, maxSockets: 1 }),
  )
  const clients = startClients(agents.length, async (client) => {
    const agent = agents[client] ?? new Agent()
    await read(agent)
    await post(agent)
  })

  async function read(agent: Agent): Promise<void> {
    const reply = await insist(callOf('GET /share'), agent)
    if (reply !== undefined && !(reply.status === 200 && reply.body.endsWith('</html>')))
      ledger.complain(`GET /share got ${reply.status} and ${reply.body.length} characters`)
  }

  async function post(agent: Agent): Promise<void> {
    const rsvp = ledger.newRsvp(random, { keyed: 0 })
    const reply = await sendRsvp(rsvp, ledger, (call) => insist(call, agent, rsvp))
    if (reply !== undefined && reply.status !== 201) ledger.complain(`${rsvp.token} got ${reply.status}: ${reply.body}`)
  }

  /** Sends again what the site has never taken. Any other request without a whole reply is a finding. */
  async function insist(call: Call, agent: Agent, rsvp?: SentRsvp): Promise<Reply | undefined> {
    for (;;) {
      try {
        const reply = await sendCall(url, agent, call)
        ledger.count(REPLIES)
        return reply
      } catch (error) {
        if (!(error instanceof NoReply)) throw error
        const isTurnedAway = error.code === 'ECONNRESET' && !error.isOnUsedConnection && !error.hasBegun
        if (error.code !== 'ECONNREFUSED' && !isTurnedAway) {
          ledger.complain(`${call.method} ${call.path}: ${error.message}`)
          return undefined
        }
        ledger.count(isTurnedAway ? TURNED_AWAY : REFUSED)
      }
      if (rsvp !== undefined) rsvp.refused++
      if (isOver) return undefined
      await wait(PAUSE_MS)
      if (rsvp !== undefined) rsvp.times++
    }
  }

  return {
    async stop() {
      isOver = true
      await clients.stop()
      for (const agent of agents) agent.destroy()
    },
  }
}
