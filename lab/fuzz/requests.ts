import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { anyCall, type Call, PASSWORD } from './calls.ts'
import { Late, LONGEST_MS, Tally } from './tally.ts'

/** How many calls are under way at any time. */
const LANES = 8
/** What the server reads of a body; it may hang up on more before all of it is sent. */
const BODY_MAXIMUM = 64 * 1024
/** Comparing a password takes so many times as long on purpose, and the server does no more than two at once. */
const SIGN_IN_TIMES = 20
const ORDINARY: Call = { method: 'GET', path: '/share', headers: {} }

type Run = { url: string; seed: number; requests: number; guarded?: boolean }
type Answer = { status: number; ms: number; cookie?: string }

/**
 * Sends generated calls: every one gets a whole answer below 500, in time. On a guarded server every other lane is
 * signed in.
 */
export async function fuzzRequests({ url, seed, requests, guarded = false }: Run): Promise<Tally> {
  const tally = new Tally()
  const agent = new Agent({ keepAlive: true })
  const session = guarded ? await signIn(url, agent) : undefined

  async function lane(number: number): Promise<void> {
    const property = fc.asyncProperty(anyCall, async (call) => {
      const sent = number % 2 === 0 ? signed(call, session) : call
      const { status, ms } = await tally.patiently(
        (patienceMs) => sendInTime(url, agent, sent, patienceMs),
        () => send(url, agent, ORDINARY),
      )
      tally.count(status === 0 ? 'hung up on' : `${Math.floor(status / 100)}xx`, isSigningIn(call) ? 0 : ms)
      if (status >= 500) throw new Error(`It was answered with ${status}.`)
    })
    const settings = { seed: seed + number, numRuns: Math.ceil(requests / LANES), verbose: true }
    tally.judge(await fc.check(property, settings))
  }

  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  if (session !== undefined) {
    const { status } = await send(url, agent, signed({ method: 'GET', path: '/api/settings', headers: {} }, session))
    if (status !== 200) tally.findings.push(`The session was lost: GET /api/settings was answered with ${status}.`)
  }
  agent.destroy()
  return tally
}

/** The cookie of a new session. */
async function signIn(url: string, agent: Agent): Promise<string> {
  const { status, cookie } = await send(url, agent, {
    method: 'POST',
    path: '/api/session',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  if (cookie === undefined) throw new Error(`Signing in was answered with ${status} and no cookie.`)
  return cookie
}

/** Everything but what would end the session. */
function signed(call: Call, cookie: string | undefined): Call {
  if (cookie === undefined || call.path.startsWith('/api/session')) return call
  return { ...call, headers: { ...call.headers, cookie } }
}

function isSigningIn({ method, path }: Call): boolean {
  return method === 'POST' && path.startsWith('/api/session')
}

async function sendInTime(url: string, agent: Agent, call: Call, patienceMs: number): Promise<Answer> {
  const answer = await send(url, agent, call)
  const patience = isSigningIn(call) ? SIGN_IN_TIMES * patienceMs : patienceMs
  if (answer.ms > patience) throw new Late(`The answer took ${Math.round(answer.ms)} ms.`)
  return answer
}

/** Answers the status 0 where the server hung up on a body that is too large. */
function send(url: string, agent: Agent, call: Call): Promise<Answer> {
  const { method, path, headers, body } = call
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const sized = { ...headers, ...(body !== undefined && { 'content-length': String(length) }) }
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, method, path, headers: sized }, (incoming) => {
      const [cookie] = incoming.headers['set-cookie'] ?? []
      incoming.on('error', (cause) => reject(new Error('The answer broke off.', { cause })))
      incoming.on('end', () => {
        const ms = performance.now() - started
        resolve({ status: incoming.statusCode ?? 0, ms, cookie: cookie?.split(';')[0] })
      })
      incoming.resume()
    })
    const timer = setTimeout(() => outgoing.destroy(new Late(`There was no answer in ${LONGEST_MS} ms.`)), LONGEST_MS)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('error', (error: Error & { code?: string }) => {
      const hungUp = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      if (hungUp && length > BODY_MAXIMUM) resolve({ status: 0, ms: performance.now() - started })
      // The server may close an idle connection just when it is used again.
      else if (hungUp && outgoing.reusedSocket) resolve(send(url, agent, call))
      else reject(error)
    })
    outgoing.end(body)
  })
}
