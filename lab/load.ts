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
/** The share of RSVPs that an administrator enters, e.g. from telephone calls. */
const ENTERED = 0.2
const TIMEOUT_MS = 20_000
/** Before the next request of a client that was refused or got no reply. */
const PAUSE_MS = 10

export type Call = { method: string; path: string; headers?: Record<string, string>; body?: string | undefined }
/** `firstMs` is when its first byte came, `ms` when it was whole, both since the request was sent. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; firstMs: number; ms: number }

/** Why there is no reply, or not all of it. */
export class NoReply extends Error {
  /** The system's code, e.g. `ECONNRESET`; `timeout` for one that did not come in time. */
  readonly code: string
  /** The server may close an idle connection just when it is used again: then nothing was received. */
  readonly wasIdle: boolean

  constructor(code: string, wasIdle: boolean) {
    super(`There was no whole reply (${code}).`)
    this.code = code
    this.wasIdle = wasIdle
  }
}

export type Load = {
  ledger: Ledger
  random: Random
  /** The sites to send requests to: the list changes while a site is restarted. */
  sites: () => string[]
  /** RSVPs that are to be sent again. What is left at the end is sent in the next round. */
  again?: SentRsvp[]
  /** Only RSVPs and changes of them by their private links, all of which the site must accept. */
  onlyVisitors?: boolean
}

/** A call in its usual notation, e.g. `POST /api/rsvp`, with a JSON body. */
export function callOf(call: string, json?: unknown, headers: Record<string, string> = {}): Call {
  const [method = '', path = ''] = call.split(' ')
  if (json === undefined) return { method, path, headers }
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) }
}

/**
 * Sends one request and reads the whole reply.
 * @param url the site; the path is sent as it is, without any normalization.
 * @param agent false for a connection of its own.
 * @throws NoReply if the reply is missing, cut off or late.
 */
export function sendCall(url: string, agent: Agent | false, call: Call, timeoutMs = TIMEOUT_MS): Promise<Reply> {
  const { hostname, port } = new URL(url)
  const { method, path, body } = call
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const headers = { ...call.headers, ...length }
  const started = performance.now()
  return new Promise((resolve, reject) => {
    let firstMs: number | undefined
    const fail = (code: string) => reject(new NoReply(code, outgoing.reusedSocket && firstMs === undefined))
    const outgoing = request({ hostname, port, agent, method, path, headers }, (incoming) => {
      const parts: Buffer[] = []
      firstMs = performance.now() - started
      incoming.on('data', (part) => parts.push(part))
      incoming.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? String(error)))
      incoming.on('end', () => {
        const { statusCode: status = 0, headers } = incoming
        const ms = performance.now() - started
        resolve({ status, headers, body: Buffer.concat(parts).toString(), firstMs: firstMs ?? ms, ms })
      })
    })
    const timer = setTimeout(() => {
      fail('timeout')
      outgoing.destroy()
    }, timeoutMs)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? String(error)))
    outgoing.end(body)
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
 * Starts clients that send RSVPs, read, change, delete and withdraw them, each one call after the other. Failures become
 * findings.
 * @returns a function that stops them.
 */
export function startLoad({ ledger, random: source, sites, again = [], onlyVisitors = false }: Load) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    const random = source.fork()
    while (!isOver) {
      await work(random).catch(async (error) => {
        ledger.complain(String(error))
        await wait(PAUSE_MS)
      })
    }
  })
  return async () => {
    isOver = true
    await Promise.all(clients)
    agent.destroy()
  }

  async function work(random: Random): Promise<void> {
    const chance = random.next()
    if (onlyVisitors) return chance < 0.2 ? change(random) : respond(random)
    if (chance < 0.15) return read(random)
    if (chance < 0.25) return remove(random)
    return chance < 0.4 ? change(random) : respond(random)
  }

  async function respond(random: Random): Promise<void> {
    const due = random.chance(0.5) ? again.shift() : undefined
    if (due !== undefined) return post(due, random)
    const rsvp = ledger.newRsvp(random, { entered: onlyVisitors ? 0 : ENTERED })
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
    const call = callOf(rsvp.entered ? 'POST /api/rsvps' : 'POST /api/rsvp', rsvp.body, headers)
    // 409 is right if it was stored, and a client asked to delete it, before it was sent again.
    const reply = await sendOne(random, call, (status) => status === 409 && ledger.isAskedToDelete(rsvp))
    if (reply?.status === 201) {
      const { id, link } = JSON.parse(reply.body)
      ledger.acknowledge(rsvp, id)
      rsvp.link ??= link === undefined ? undefined : (new URL(link).searchParams.get('key') ?? undefined)
    } else if (reply !== undefined) rsvp.refused++
  }

  async function read(random: Random): Promise<void> {
    await sendOne(random, callOf(random.pick(['GET /share', 'GET /api/rsvps?limit=20', 'GET /api/rsvps?limit=500'])))
  }

  /** By its private link, or as an administrator if it has none. */
  async function change(random: Random): Promise<void> {
    const rsvp = ledger.changeable(random)
    if (rsvp === undefined) return respond(random)
    const { link, ids } = rsvp
    const version = ledger.askToChange(rsvp, random)
    const call =
      link === undefined
        ? callOf(`PATCH /api/rsvps/${ids[0]}`, version)
        : callOf('PATCH /api/answer', version, { 'link-key': link })
    // 404, 409 and 410 are right if a client asked to delete it; 412 if an earlier change may have come in between.
    const reply = await sendOne(random, call, (status) =>
      status === 412 ? rsvp.doubtful : [404, 409, 410].includes(status) && ledger.isAskedToDelete(rsvp),
    )
    ledger.changed(rsvp, reply?.status === 200 || reply?.status === 204)
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
    const reply = await sendOne(random, call, isGone)
    if (reply?.status === 204 || isGone(reply?.status)) ledger.deletions.set(id, true)
  }

  /** @returns undefined if the connection ended before the reply did. */
  async function sendOne(
    random: Random,
    call: Call,
    isExpected: (status: number) => boolean = () => false,
  ): Promise<Reply | undefined> {
    const reply = await sendCall(random.pick(sites()), agent, call).catch((error) => {
      if (!(error instanceof NoReply)) throw error
      return undefined
    })
    ledger.count(`${call.method} ${reply?.status ?? 'without reply'}`)
    if (reply === undefined || (reply.status === 503 && !onlyVisitors)) await wait(PAUSE_MS)
    else if (reply.status >= 300 && !isExpected(reply.status))
      ledger.complain(`${call.method} ${call.path} got ${reply.status}: ${reply.body}`)
    return reply
  }
}
