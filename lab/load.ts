import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger, SentRsvp } from './ledger.ts'
import type { Random } from './random.ts'

/** Three days from now: what a client changes or withdraws is refused once its service is over. */
const SERVICE_WEEKDAY = (new Date().getDay() + 3) % 7
const CLIENTS = 8
/** A third of the RSVPs with a key is sent twice: some at the same time, some later, possibly to another process. */
const TWICE_AT_ONCE = 1 / 9
const TWICE = 1 / 3
const TIMEOUT_MS = 20_000
/** Before the next request of a client that was refused or got no reply. */
const PAUSE_MS = 10

type Call = { method: string; path: string; headers: Record<string, string>; body?: string }
/** `firstMs` is when its first byte came, `ms` when it was whole, both since the request was sent. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; firstMs: number; ms: number }

type Load = {
  ledger: Ledger
  random: Random
  /** The sites to send requests to: the list changes while a site is restarted. */
  sites: () => string[]
  /** RSVPs that are to be sent again. What is left at the end is sent in the next round. */
  again?: SentRsvp[]
}

/** A call in its usual notation, e.g. `POST /api/rsvp`, with a JSON body. */
function callOf(call: string, json?: unknown, headers: Record<string, string> = {}): Call {
  const [method = '', path = ''] = call.split(' ')
  if (json === undefined) return { method, path, headers }
  const body = JSON.stringify(json)
  const length = String(Buffer.byteLength(body))
  return { method, path, headers: { 'content-type': 'application/json', 'content-length': length, ...headers }, body }
}

/**
 * Sends one request and reads the whole reply.
 * @param agent false for a connection of its own.
 * @throws Error if the reply is missing, cut off or late.
 */
function sendCall(url: string, agent: Agent | false, { body, ...call }: Call): Promise<Reply> {
  const { hostname, port } = new URL(url)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, ...call, signal }, (incoming) => {
      const firstMs = performance.now() - started
      const { statusCode: status = 0, headers: received } = incoming
      incoming.toArray().then((parts) => {
        const ms = performance.now() - started
        resolve({ status, headers: received, body: Buffer.concat(parts).toString(), firstMs, ms })
      }, reject)
    })
    outgoing.on('error', reject).end(body)
  })
}

/** Sends one request on a connection of its own. @throws Error if it does not succeed. */
export async function send(url: string, ...call: Parameters<typeof callOf>): Promise<Reply> {
  const reply = await sendCall(url, false, callOf(...call))
  if (reply.status >= 300) throw new Error(`${call[0]} got ${reply.status}: ${reply.body}`)
  return reply
}

/** The cookie of an administrator who has just signed in. */
export async function signIn(url: string, password: string): Promise<string> {
  const { headers } = await send(url, 'POST /api/session', { password })
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

/** Sets the day of services before anything is sent. */
export async function setServiceDay(url: string): Promise<void> {
  await send(url, 'PATCH /api/schedule', { weekday: SERVICE_WEEKDAY })
}

/**
 * Starts clients that send RSVPs, read, change and withdraw them, each one call after the other. Replies that are wrong
 * become findings.
 * @returns a function that stops them.
 */
export function startLoad({ ledger, random: source, sites, again = [] }: Load) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    const random = source.fork()
    while (!isOver) await work(random)
  })
  return async () => {
    isOver = true
    await Promise.all(clients)
    agent.destroy()
  }

  async function work(random: Random): Promise<unknown> {
    const chance = random.next()
    if (chance < 0.1) return sendOne(random, callOf(random.pick(['GET /share', 'GET /api/rsvps?limit=500'])))
    const rsvp = chance < 0.4 ? ledger.changeable(random) : undefined
    if (rsvp === undefined) return respond(random)
    return chance < 0.2 ? withdraw(rsvp, random) : change(rsvp, random)
  }

  async function respond(random: Random): Promise<void> {
    const due = random.chance(0.5) ? again.shift() : undefined
    if (due !== undefined) return post(due, random)
    const rsvp = ledger.newRsvp(random)
    const fate = rsvp.key === undefined ? 1 : random.next()
    const sent = [post(rsvp, random)]
    if (fate < TWICE_AT_ONCE) sent.push(post(rsvp, random))
    else if (fate < TWICE) again.push(rsvp)
    await Promise.all(sent)
  }

  /** Without a reply nothing is promised. */
  async function post(rsvp: SentRsvp, random: Random): Promise<void> {
    rsvp.times++
    const headers: Record<string, string> = rsvp.key === undefined ? {} : { 'idempotency-key': rsvp.key }
    // 409 is right if it was stored, and a client asked to withdraw it, before it was sent again.
    const isExpected = (status: number) => status === 409 && rsvp.withdrawn !== undefined
    const reply = await sendOne(random, callOf('POST /api/rsvp', rsvp.body, headers), isExpected)
    if (reply?.status === 201) {
      const { id, link } = JSON.parse(reply.body)
      ledger.acknowledge(rsvp, id, (link && new URL(link).searchParams.get('key')) ?? undefined)
    } else if (reply !== undefined) rsvp.refused++
  }

  async function change(rsvp: SentRsvp, random: Random): Promise<void> {
    const call = callOf('PATCH /api/answer', ledger.askToChange(rsvp, random), { 'link-key': rsvp.link ?? '' })
    // 412 is right if an earlier change may have come in between.
    const reply = await sendOne(random, call, (status) => status === 412 && rsvp.versions.length > 2)
    ledger.changed(rsvp, reply?.status === 200 || reply?.status === 204)
  }

  async function withdraw(rsvp: SentRsvp, random: Random): Promise<void> {
    rsvp.withdrawn = 'asked'
    const call = callOf('DELETE /api/answer', undefined, { 'link-key': rsvp.link ?? '' })
    const reply = await sendOne(random, call)
    if (reply?.status === 204) rsvp.withdrawn = 'acknowledged'
  }

  /** @returns undefined if the connection ended before the reply did. */
  async function sendOne(random: Random, call: Call, isExpected = (_: number) => false): Promise<Reply | undefined> {
    const reply = await sendCall(random.pick(sites()), agent, call).catch(() => undefined)
    ledger.count(`${call.method} ${reply?.status ?? 'without reply'}`)
    if (reply === undefined || reply.status === 503) await wait(PAUSE_MS)
    else if (reply.status >= 300 && !isExpected(reply.status))
      ledger.findings.push({ kind: 'failure', text: `${call.method} ${call.path} got ${reply.status}: ${reply.body}` })
    return reply
  }
}
