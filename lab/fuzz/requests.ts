import { Agent } from 'node:http'
import fc from 'fast-check'
import { type Call, callOf, NoReply, type Reply, sendCall, signIn } from '../load.ts'
import { anyCall, PASSWORD } from './calls.ts'
import { fuzzMessages } from './messages.ts'
import { LONGEST_MS, Tally } from './tally.ts'

/** Settings of a server with a password, and without a limit on RSVPs. */
export const GUARDED = { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off' }

/** How many calls are in flight at any time. */
const LANES = 8
/** The server reads no larger body and may hang up before all of it is sent. */
const BODY_MAXIMUM = 64 * 1024

type Site = { url: string; output(): string }
type Run = { seed: number; requests: number; messages: number; guarded?: boolean }

/** Sends calls, then damaged messages; then checks that the server still works. */
export async function fuzzSite(site: Site, run: Run) {
  const calls = await fuzzRequests(site.url, run)
  const messages = await fuzzMessages(site.url, run)
  const findings = [...calls.findings, ...messages.findings]
  const after = await fetch(`${site.url}/share`).catch((error) => ({ status: String(error) }))
  if (after.status !== 200) findings.push(`afterwards GET /share got ${after.status}`)
  // A bug may be in the log although the reply was right, or missing.
  const [bug] = /^.*unexpected error.*$/m.exec(site.output()) ?? []
  if (bug !== undefined) findings.push(`the log has an unexpected error: ${bug}`)
  return { calls, messages, findings }
}

/** Each call gets a whole reply below 500, in time. On a guarded server every other lane is signed in. */
async function fuzzRequests(url: string, { seed, requests, guarded = false }: Run): Promise<Tally> {
  const tally = new Tally()
  const agent = new Agent({ keepAlive: true })
  const cookie = guarded ? await signIn(url, PASSWORD) : undefined
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const property = fc.asyncProperty(anyCall, async (call) => {
      const reply = await sendOnce(url, agent, lane % 2 === 0 ? withSession(call, cookie) : call)
      if (reply === undefined) return tally.count('hung up on')
      tally.count(`${Math.floor(reply.status / 100)}xx`, reply.ms)
      // Of many pictures at once some are refused, on purpose.
      const isRefused = reply.status === 503 && call.path.startsWith('/api/church/picture')
      if (reply.status >= 500 && !isRefused) throw new Error(`The reply was ${reply.status}.`)
    })
    const settings = { seed: seed + lane, numRuns: Math.ceil(requests / LANES), verbose: true }
    tally.judge(await fc.check(property, settings))
  })
  await Promise.all(lanes)
  if (guarded) {
    const settings = await sendOnce(url, agent, withSession(callOf('GET /api/settings'), cookie))
    if (settings?.status !== 200)
      tally.findings.push(`The session was lost: GET /api/settings got ${settings?.status}.`)
  }
  agent.destroy()
  return tally
}

/** Adds the session to every call, except those that could end it. */
function withSession(call: Call, cookie: string | undefined): Call {
  if (cookie === undefined || call.path.startsWith('/api/session')) return call
  return { ...call, headers: { ...call.headers, cookie } }
}

/** @returns undefined if the server hung up on a body that is too large. */
async function sendOnce(url: string, agent: Agent, call: Call): Promise<Reply | undefined> {
  try {
    return await sendCall(url, agent, call, LONGEST_MS)
  } catch (error) {
    if (!(error instanceof NoReply) || !['ECONNRESET', 'EPIPE'].includes(error.code)) throw error
    if (Buffer.byteLength(call.body ?? '') > BODY_MAXIMUM) return undefined
    if (error.wasIdle) return sendOnce(url, agent, call)
    throw error
  }
}
