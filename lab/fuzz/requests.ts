import { Agent } from 'node:http'
import fc from 'fast-check'
import { callOf, NoReply, type Reply, sendCall } from '../exchange.ts'
import { anyCall, type FuzzCall, PASSWORD } from './calls.ts'
import { Late, LONGEST_MS, Tally } from './tally.ts'

/** How many calls are in flight at any time. */
const LANES = 8
/** The server reads no larger body and may hang up before all of it is sent. */
const BODY_MAXIMUM = 64 * 1024
/** Hashing a password is slow on purpose, and the server hashes no more than two at once. */
const SIGN_IN_FACTOR = 20
const ORDINARY = callOf('GET /share')
const HUNG_UP = 0

type Run = { url: string; seed: number; requests: number; guarded?: boolean }

/** Sends generated calls: each gets a whole reply below 500, in time. On a guarded server every other lane is signed in. */
export async function fuzzRequests({ url, seed, requests, guarded = false }: Run): Promise<Tally> {
  const tally = new Tally()
  const agent = new Agent({ keepAlive: true })
  const session = guarded ? await signIn(url, agent) : undefined

  async function lane(number: number): Promise<void> {
    const property = fc.asyncProperty(anyCall, async (call) => {
      const sent = number % 2 === 0 ? withSession(call, session) : call
      const { status, ms } = await tally.retryLate(
        (timeoutMs) => sendInTime(url, agent, sent, timeoutMs),
        () => send(url, agent, ORDINARY),
      )
      tally.count(status === HUNG_UP ? 'hung up on' : `${Math.floor(status / 100)}xx`, isSignIn(call) ? 0 : ms)
      if (status >= 500) throw new Error(`The reply was ${status}.`)
    })
    const settings = { seed: seed + number, numRuns: Math.ceil(requests / LANES), verbose: true }
    tally.judge(await fc.check(property, settings))
  }

  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  if (session !== undefined) {
    const { status } = await send(url, agent, withSession(callOf('GET /api/settings'), session))
    if (status !== 200) tally.findings.push(`The session was lost: GET /api/settings got ${status}.`)
  }
  agent.destroy()
  return tally
}

/** @returns the cookie of a new session. */
async function signIn(url: string, agent: Agent): Promise<string> {
  const { status, headers } = await sendCall(url, agent, callOf('POST /api/session', { password: PASSWORD }))
  const [cookie] = headers['set-cookie'] ?? []
  if (cookie === undefined) throw new Error(`POST /api/session got ${status} and no cookie.`)
  return cookie.split(';')[0] ?? ''
}

/** Adds the session to every call, except those that could end it. */
function withSession<Call extends { path: string; headers?: Record<string, string> }>(
  call: Call,
  cookie: string | undefined,
): Call {
  if (cookie === undefined || call.path.startsWith('/api/session')) return call
  return { ...call, headers: { ...call.headers, cookie } }
}

function isSignIn({ method, path }: FuzzCall): boolean {
  return method === 'POST' && path.startsWith('/api/session')
}

type Result = Pick<Reply, 'status' | 'ms'>

async function sendInTime(url: string, agent: Agent, call: FuzzCall, timeoutMs: number): Promise<Result> {
  const result = await send(url, agent, call)
  const longest = isSignIn(call) ? SIGN_IN_FACTOR * timeoutMs : timeoutMs
  if (result.ms > longest) throw new Late(`The reply took ${Math.round(result.ms)} ms.`)
  return result
}

/** @returns the status `HUNG_UP` where the server hung up on a body that is too large. */
async function send(url: string, agent: Agent, call: Parameters<typeof sendCall>[2]): Promise<Result> {
  const started = performance.now()
  try {
    return await sendCall(url, agent, call, LONGEST_MS)
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    if (error.code === 'timeout') throw new Late(`There was no reply in ${LONGEST_MS} ms.`)
    const hasHungUp = error.code === 'ECONNRESET' || error.code === 'EPIPE'
    const isLarge = Buffer.byteLength(call.body ?? '') > BODY_MAXIMUM
    if (hasHungUp && isLarge) return { status: HUNG_UP, ms: performance.now() - started }
    // The server may close an idle connection just when it is used again.
    if (hasHungUp && error.isOnUsedConnection && !error.hasBegun) return send(url, agent, call)
    throw error
  }
}
