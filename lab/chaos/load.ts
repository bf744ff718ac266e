import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { finding } from './finding.ts'
import type { Ledger, Submission } from './ledger.ts'
import type { Random } from './random.ts'

const CLIENTS = 8
/** Of the answers with a key a third is sent twice: some at the same time, some later, maybe to another process. */
const TWICE_AT_ONCE = 1 / 9
const TWICE = 1 / 3
const PATIENCE_MS = 20_000
/** Before a client that was refused, or not answered, asks for something else. */
const PAUSE_MS = 10

export type Load = {
  ledger: Ledger
  random: Random
  /** The answers that are to be sent again: what is left goes on to the next round. */
  again: Submission[]
  /** The addresses to ask: changes while a site is started anew. */
  sites: () => string[]
  /** Asked before each request. */
  isOver: () => boolean
}

type Sent = { json?: unknown; headers?: Record<string, string> }
type Reply = { status: number; body: string }

/** Clients that answer, read, delete and switch, one call after the other, until it is over. Never fails: it finds. */
export async function putLoad(load: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const lanes = Array.from({ length: CLIENTS }, (_, lane) => work(lane, load.random.fork()))
  await Promise.all(lanes.map((lane) => lane.catch((error) => complain(String(error)))))
  agent.destroy()

  function complain(text: string): void {
    load.ledger.findings.push(finding('failure', text))
  }

  async function work(lane: number, random: Random): Promise<void> {
    while (!load.isOver()) {
      const chance = random.next()
      // One lane only: of two at the same time nobody knows which came last.
      if (lane === 0 && chance < 0.2) await switchFeature(random)
      else if (chance < 0.15) await read(random)
      else if (chance < 0.25) await remove(random)
      else await answer(random)
    }
  }

  async function answer(random: Random): Promise<void> {
    const due = random.chance(0.5) ? load.again.shift() : undefined
    if (due !== undefined) return post(due, random)
    const submission = load.ledger.newSubmission(random)
    const fate = submission.key === undefined ? 1 : random.next()
    const sent = [post(submission, random)]
    if (fate < TWICE_AT_ONCE) sent.push(post(submission, random))
    else if (fate < TWICE) load.again.push(submission)
    await Promise.all(sent)
  }

  async function post(submission: Submission, random: Random): Promise<void> {
    const { key, body } = submission
    submission.times++
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    // Stored, and asked to be deleted, before it was sent again.
    const isDeleted = (status: number) => status === 409 && load.ledger.isAskedToDelete(submission)
    const reply = await ask(random, 'POST /api/rsvp', { json: body, headers, isExpected: isDeleted })
    if (reply?.status === 201) load.ledger.stored(submission, JSON.parse(reply.body).id)
    else if (reply !== undefined) submission.refused++
  }

  async function read(random: Random): Promise<void> {
    await ask(random, random.pick(['GET /share', 'GET /api/rsvps?limit=20', 'GET /api/rsvps?limit=500']))
  }

  async function remove(random: Random): Promise<void> {
    const id = load.ledger.deletable(random)
    if (id === undefined) return answer(random)
    load.ledger.askToDelete(id)
    // "There is no such response" has to be just as true.
    const reply = await ask(random, `DELETE /api/rsvps/${id}`, { isExpected: (status) => status === 404 })
    if (reply?.status === 204 || reply?.status === 404) load.ledger.deletions.set(id, true)
  }

  async function switchFeature(random: Random): Promise<void> {
    const calendarIntegration = random.chance(0.5)
    load.ledger.askToSwitch(calendarIntegration)
    const reply = await ask(random, 'PATCH /api/features', { json: { calendarIntegration } })
    load.ledger.switched(calendarIntegration, reply?.status === 200)
  }

  /**
   * @param isExpected which refusals are right.
   * @returns undefined where the connection ended before the answer.
   */
  async function ask(
    random: Random,
    call: string,
    { isExpected = () => false, ...sent }: Sent & { isExpected?: (status: number) => boolean } = {},
  ): Promise<Reply | undefined> {
    const reply = await exchange(agent, random.pick(load.sites()), call, sent)
    const [method = ''] = call.split(' ')
    load.ledger.count(`${method} ${reply?.status ?? 'unanswered'}`)
    if (reply === undefined || reply.status === 503) await wait(PAUSE_MS)
    else if (reply.status >= 300 && !isExpected(reply.status))
      complain(`${call} was answered with ${reply.status}: ${reply.body}`)
    return reply
  }
}

function exchange(agent: Agent, site: string, call: string, { json, headers }: Sent): Promise<Reply | undefined> {
  const [method, path = ''] = call.split(' ')
  const body = json === undefined ? undefined : JSON.stringify(json)
  const own = body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const outgoing = request(`${site}${path}`, { agent, method, headers: { ...own, ...headers } }, (incoming) => {
      incoming.toArray().then(
        (parts) => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
        () => resolve(undefined),
      )
    })
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy())
    outgoing.on('error', () => resolve(undefined)).end(body)
  })
}
