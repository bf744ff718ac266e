import { Agent, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sendCall } from '../exchange.ts'
import { makeRequest, type SoakRequest, Stored } from './calls.ts'

const CONNECTIONS = 16
const SIGN_IN_INTERVAL_MS = 20_000
/** As in browsers and proxies: an idle connection is closed before the server may close it. */
const IDLE_MAXIMUM_MS = 5000
/** On a busy machine the rate drops, so that requests do not pile up. */
const IN_FLIGHT_MAXIMUM = 2 * CONNECTIONS
/** Requests that are overdue by more than this are skipped. */
const LATE_MAXIMUM_MS = 1000
/** A person would have given up. */
const TIMEOUT_MS = 20_000
const BUSY = 503

/**
 * What a step has seen: how long each reply took in ms, how many requests were told to come back later, as on a busy
 * machine, and what went wrong.
 */
export type Seen = { times: number[]; busy: number; errors: string[] }
type Result = { headers: IncomingHttpHeaders; body: string }

/** Clients that together send requests at one rate, with an administrator among them. */
export class Load {
  private readonly site: { url: string; password: string }
  private readonly stored = new Stored()
  private requests = 0
  private agent = new Agent()
  private seen: Seen = { times: [], busy: 0, errors: [] }
  /** The cookie that identifies the browser, and the administrator's sessions, the latest first. */
  private device = ''
  private sessions: string[] = []

  constructor(site: { url: string; password: string }) {
    this.site = site
  }

  /** Sends requests for `ms` milliseconds, waits for the last reply and closes every connection. */
  async run(ms: number, perSecond: number): Promise<Seen> {
    this.seen = { times: [], busy: 0, errors: [] }
    this.agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE_MAXIMUM_MS })
    if (this.sessions.length === 0) await this.signIn()
    const inFlight = new Set<Promise<unknown>>()
    const begin = (work: Promise<unknown>) => {
      inFlight.add(work)
      work.finally(() => inFlight.delete(work))
    }
    const end = performance.now() + ms
    let signInAt = performance.now()
    for (let due = performance.now(); due < end; due += 1000 / perSecond) {
      await wait(Math.max(0, due - performance.now()))
      while (inFlight.size >= IN_FLIGHT_MAXIMUM) await Promise.race(inFlight)
      due = Math.max(due, performance.now() - LATE_MAXIMUM_MS)
      if (due >= signInAt) begin(this.signIn())
      while (signInAt <= due) signInAt += SIGN_IN_INTERVAL_MS
      begin(this.send(makeRequest(this.requests++, this.stored)))
    }
    await Promise.all(inFlight)
    this.agent.destroy()
    return this.seen
  }

  /** Starts a new session, and ends the one before the last, which no request in flight uses any more. */
  private async signIn(): Promise<void> {
    const json = { password: this.site.password }
    const { headers } = await this.send({ call: 'POST /api/session', json, expected: [204] }, this.device)
    const [session = '', device = ''] = headers['set-cookie']?.map((cookie) => cookie.split(';', 1)[0] ?? '') ?? []
    this.device = device
    this.sessions.unshift(session)
    const [unused] = this.sessions.splice(2)
    if (unused !== undefined) await this.send({ call: 'DELETE /api/session', expected: [204] }, unused)
  }

  private async send(request: SoakRequest, cookie = request.signedIn ? this.sessions[0] : undefined): Promise<Result> {
    const { call, json, form, expected } = request
    const [method = '', path = ''] = call.split(' ')
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json))
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const headers = {
      // As browsers do: compression has its own memory.
      'accept-encoding': 'br, gzip',
      ...(body !== undefined && { 'content-type': type }),
      ...(cookie && { cookie }),
    }
    try {
      const reply = await sendCall(this.site.url, this.agent, { method, path, headers, body }, TIMEOUT_MS)
      this.seen.times.push(reply.ms)
      const isBusy = reply.status === BUSY && reply.headers['retry-after'] !== undefined
      if (isBusy) this.seen.busy++
      else if (!expected.includes(reply.status)) throw new Error(`${reply.status} ${reply.body.slice(0, 200)}`)
      if (reply.status === 201 && call === 'POST /api/rsvp') this.stored.ids.push(JSON.parse(reply.body).id)
      return reply
    } catch (error) {
      this.seen.errors.push(`${call}: ${error}`)
      return { headers: {}, body: '' }
    }
  }
}
