import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clients, changeRsvp, sendRsvp, startClients } from '../clients.ts'
import { type Call, callOf, NoReply, type Reply, sendCall } from '../exchange.ts'
import type { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import type { RegisterName } from '../register.ts'
import type { SentRsvp } from '../sent-rsvp.ts'

/** Three days from now: what a client changes or withdraws is refused once its service is over. */
const SERVICE_WEEKDAY = (new Date().getDay() + 3) % 7
/** The day of a service of which clients say how many came. January 5, 2025, was a Sunday. */
const COUNTED_DAY = `2025-01-${String(5 + SERVICE_WEEKDAY).padStart(2, '0')}`
const CLIENTS = 8
/** A third of the RSVPs with a key is sent twice: some at the same time, some later, possibly to another process. */
const TWICE_AT_ONCE = 1 / 9
const TWICE = 1 / 3
/** Of the RSVPs, entered by an administrator, e.g. from telephone calls. */
const ENTERED = 0.2
const TIMEOUT_MS = 20_000
/** Before the next request of a client that was refused or got no reply. */
const PAUSE_MS = 10

export type Load = {
  ledger: Ledger
  random: Random
  /** RSVPs that are to be sent again. What is left at the end is sent in the next round. */
  again: SentRsvp[]
  /** The sites to send requests to: the list changes while a site is restarted. */
  sites: () => string[]
}

/** Sets the day of services before anything is sent. */
export async function setServiceDay(url: string, { registers: { minutes } }: Ledger): Promise<void> {
  const durationMinutes = 120
  const agent = new Agent()
  minutes.ask(durationMinutes)
  const reply = await sendCall(url, agent, callOf('PATCH /api/schedule', { weekday: SERVICE_WEEKDAY, durationMinutes }))
  minutes.changed(durationMinutes, reply.status === 200)
  agent.destroy()
}

/** Starts clients that send RSVPs, read, change, delete and withdraw them, and change what administrators set. What goes wrong becomes a finding. */
export function startLoad({ ledger, random: source, again, sites }: Load): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const randoms = Array.from({ length: CLIENTS }, () => source.fork())
  const clients = startClients(CLIENTS, (client) =>
    work(client, randoms[client] ?? source).catch(async (error) => {
      ledger.complain(String(error))
      await wait(PAUSE_MS)
    }),
  )
  return {
    async stop() {
      await clients.stop()
      agent.destroy()
    },
  }

  async function work(client: number, random: Random): Promise<void> {
    const chance = random.next()
    // Only one client: of two changes at the same time it is unknown which came last.
    if (client === 0 && chance < 0.3) await changeRegister(random)
    else if (chance < 0.15) await read(random)
    else if (chance < 0.25) await remove(random)
    else if (chance < 0.4) await change(random)
    else await respond(random)
  }

  async function respond(random: Random): Promise<void> {
    const due = random.chance(0.5) ? again.shift() : undefined
    if (due !== undefined) return post(due, random)
    const rsvp = ledger.newRsvp(random, { entered: ENTERED })
    const fate = rsvp.key === undefined ? 1 : random.next()
    const sent = [post(rsvp, random)]
    if (fate < TWICE_AT_ONCE) sent.push(post(rsvp, random))
    else if (fate < TWICE) again.push(rsvp)
    await Promise.all(sent)
  }

  async function post(rsvp: SentRsvp, random: Random): Promise<void> {
    // 409 is right where it was stored, and a client asked to delete it, before it was sent again.
    const isDeleted = (status: number) => status === 409 && ledger.isAskedToDelete(rsvp)
    await sendRsvp(rsvp, ledger, (call) => send(random, call, isDeleted))
  }

  async function read(random: Random): Promise<void> {
    await send(random, callOf(random.pick(['GET /share', 'GET /api/rsvps?limit=20', 'GET /api/rsvps?limit=500'])))
  }

  async function change(random: Random): Promise<void> {
    const rsvp = ledger.changeable(random)
    if (rsvp === undefined) return respond(random)
    // 404, 409 and 410 are right where a client asked to delete it; 412 where an earlier change may have come in between.
    const isExpected = (status: number) =>
      status === 412 ? rsvp.doubtful : [404, 409, 410].includes(status) && ledger.isAskedToDelete(rsvp)
    await changeRsvp(rsvp, { ledger, random }, (call) => send(random, call, isExpected))
  }

  /** Deletes an RSVP as an administrator, or withdraws it by its private link. */
  async function remove(random: Random): Promise<void> {
    const rsvp = ledger.changeable(random)
    if (rsvp === undefined) return respond(random)
    const { link, ids } = rsvp
    const id = ids[0] ?? 0
    ledger.askToDelete(id)
    // 404 and 410 promise the same as 204: it is deleted.
    const isGone = (status = 0) => status === 404 || status === 410
    const call =
      link !== undefined && random.chance(0.5)
        ? callOf('DELETE /api/answer', undefined, { 'link-key': link })
        : callOf(`DELETE /api/rsvps/${id}`)
    const reply = await send(random, call, isGone)
    if (reply?.status === 204 || isGone(reply?.status)) ledger.deletions.set(id, true)
  }

  async function changeRegister(random: Random): Promise<void> {
    const [name, value, call] = random.pick<[RegisterName, unknown, Call]>([
      switchFeature(random.chance(0.5)),
      countPeople(random.below(1000)),
      setMinutes(1 + random.below(1000)),
    ])
    const register = ledger.registers[name]
    register.ask(value)
    const reply = await send(random, call)
    register.changed(value, reply?.status === 200)
  }

  /** @returns undefined where the connection ended before the reply did. */
  async function send(
    random: Random,
    call: Call,
    isExpected: (status: number) => boolean = () => false,
  ): Promise<Reply | undefined> {
    const reply = await sendCall(random.pick(sites()), agent, call, TIMEOUT_MS).catch((error) => {
      if (!(error instanceof NoReply)) throw error
      return undefined
    })
    ledger.count(`${call.method} ${reply?.status ?? 'without reply'}`)
    if (reply === undefined || reply.status === 503) await wait(PAUSE_MS)
    else if (reply.status >= 300 && !isExpected(reply.status))
      ledger.complain(`${call.method} ${call.path} got ${reply.status}: ${reply.body}`)
    return reply
  }
}

function switchFeature(calendarIntegration: boolean): [RegisterName, unknown, Call] {
  return ['feature', calendarIntegration, callOf('PATCH /api/features', { calendarIntegration })]
}

function countPeople(turnout: number): [RegisterName, unknown, Call] {
  return ['turnout', turnout, callOf(`PATCH /api/services/${COUNTED_DAY}`, { turnout })]
}

function setMinutes(durationMinutes: number): [RegisterName, unknown, Call] {
  return ['minutes', durationMinutes, callOf('PATCH /api/schedule', { durationMinutes })]
}
