import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger, SentRsvp } from './ledger.ts'
import { chance, pick } from './random.ts'

const CLIENTS = 8
/** A third of the RSVPs with a key is sent twice: some at the same time, some later, possibly to another process. */
const TWICE_AT_ONCE = 1 / 9
const TWICE = 1 / 3
const TIMEOUT_MS = 20_000
const JSON_TYPE = { 'content-type': 'application/json' }
/** Before the next request of a client that was refused or got no reply. */
const PAUSE_MS = 10

/** `firstMs` is when its first byte came, `ms` when it was whole, both since the request was sent. */
type Reply = { status: number; headers: Headers; body: string; firstMs: number; ms: number }

type Load = {
  ledger: Ledger
  /** The sites to send requests to. */
  sites: string[]
  /** RSVPs that are to be sent again. What is left at the end is sent in the next round. */
  again?: SentRsvp[]
}

/**
 * Sends a call in its usual notation, e.g. `POST /api/rsvp`, with a JSON body, and reads the whole reply.
 * @throws Error if the reply is missing, cut off or late.
 */
async function ask(url: string, call: string, json?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const [method = '', path = ''] = call.split(' ')
  const started = performance.now()
  const reply = await fetch(url + path, {
    method,
    headers: { 'accept-encoding': 'identity', ...(json !== undefined && JSON_TYPE), ...headers },
    body: JSON.stringify(json),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const firstMs = performance.now() - started
  const body = await reply.text()
  return { status: reply.status, headers: reply.headers, body, firstMs, ms: performance.now() - started }
}

/** The same, for a call that has to succeed. */
export async function send(...[url, call, ...rest]: Parameters<typeof ask>): Promise<Reply> {
  const reply = await ask(url, call, ...rest)
  if (reply.status >= 300) throw new Error(`${call} got ${reply.status}: ${reply.body}`)
  return reply
}

/**
 * Starts clients that send RSVPs, read, change and withdraw them, each one call after the other. Replies that are wrong
 * become findings.
 * @returns a function that stops them.
 */
export function startLoad({ ledger, sites, again = [] }: Load) {
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) await work()
  })
  return async () => {
    isOver = true
    await Promise.all(clients)
  }

  async function work(): Promise<unknown> {
    const choice = Math.random()
    if (choice < 0.1) return sendOne(() => false, pick(['GET /share', 'GET /api/rsvps?limit=500']))
    const rsvp = choice < 0.4 ? ledger.changeable() : undefined
    if (rsvp === undefined) return respond()
    return choice < 0.2 ? withdraw(rsvp) : change(rsvp)
  }

  async function respond(): Promise<void> {
    const due = chance(0.5) ? again.shift() : undefined
    if (due !== undefined) return post(due)
    const rsvp = ledger.newRsvp()
    const fate = rsvp.key === undefined ? 1 : Math.random()
    const sent = [post(rsvp)]
    if (fate < TWICE_AT_ONCE) sent.push(post(rsvp))
    else if (fate < TWICE) again.push(rsvp)
    await Promise.all(sent)
  }

  /** Without a reply nothing is promised. */
  async function post(rsvp: SentRsvp): Promise<void> {
    rsvp.times++
    const headers: Record<string, string> = rsvp.key === undefined ? {} : { 'idempotency-key': rsvp.key }
    // 409 is right if it was stored, and a client asked to withdraw it, before it was sent again.
    const isExpected = (status: number) => status === 409 && rsvp.withdrawn !== undefined
    const reply = await sendOne(isExpected, 'POST /api/rsvp', rsvp.body, headers)
    if (reply?.status === 201) {
      const { id, link } = JSON.parse(reply.body)
      ledger.acknowledge(rsvp, id, (link && new URL(link).searchParams.get('key')) ?? undefined)
    } else if (reply !== undefined) rsvp.refused++
  }

  async function change(rsvp: SentRsvp): Promise<void> {
    // 412 is right if an earlier change may have come in between.
    const isExpected = (status: number) => status === 412 && rsvp.versions.length > 2
    const headers = { 'link-key': rsvp.link ?? '' }
    const reply = await sendOne(isExpected, 'PATCH /api/answer', ledger.askToChange(rsvp), headers)
    ledger.changed(rsvp, reply?.status === 200)
  }

  async function withdraw(rsvp: SentRsvp): Promise<void> {
    rsvp.withdrawn = 'asked'
    const reply = await sendOne(() => false, 'DELETE /api/answer', undefined, { 'link-key': rsvp.link ?? '' })
    if (reply?.status === 204) rsvp.withdrawn = 'acknowledged'
  }

  /** @returns undefined if the connection ended before the reply did. */
  async function sendOne(isExpected: (status: number) => boolean, call: string, json?: unknown, headers = {}) {
    const reply = await ask(pick(sites), call, json, headers).catch(() => undefined)
    ledger.count(`${call.split(' ')[0]} ${reply?.status ?? 'without reply'}`)
    if (reply === undefined || reply.status === 503) await wait(PAUSE_MS)
    else if (reply.status >= 300 && !isExpected(reply.status))
      ledger.findings.push({ kind: 'failure', text: `${call} got ${reply.status}: ${reply.body}` })
    return reply
  }
}
