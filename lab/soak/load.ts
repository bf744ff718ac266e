import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Call, makeCall, Stored } from './calls.ts'

const CONNECTIONS = 16
const SIGN_IN_INTERVAL_MS = 20_000
/** As browsers and proxies do, an idle connection is given up before the server may close it, in ms. */
const IDLE_MAXIMUM_MS = 5000
/** On a machine with other work to do the rate falls behind instead of a queue that grows. */
const UNDER_WAY_MAXIMUM = 2 * CONNECTIONS
/** What it is behind by more than this is left out. */
const LATE_MAXIMUM_MS = 1000
/** A person would have given up. */
const PATIENCE_MS = 20_000
const BUSY = 503

/**
 * What a step has seen: how long each answer took, in ms, how many were told to come back, as on a machine that has
 * other work, and which must not be.
 */
export type Seen = { times: number[]; busy: number; errors: string[] }
type Answer = { headers: IncomingHttpHeaders; body: string }

/** Clients that together ask at one rate, and an administrator among them. */
export class Load {
  private readonly site: { url: string; password: string }
  private readonly stored = new Stored()
  private asked = 0
  private agent = new Agent()
  private seen: Seen = { times: [], busy: 0, errors: [] }
  /** By which the browser is known, and the sessions of the administrator, the last one first. */
  private device = ''
  private sessions: string[] = []

  constructor(site: { url: string; password: string }) {
    this.site = site
  }

  /** Asks for so many milliseconds, waits for the last answer and closes every connection. */
  async run(ms: number, perSecond: number): Promise<Seen> {
    this.seen = { times: [], busy: 0, errors: [] }
    this.agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE_MAXIMUM_MS })
    if (this.sessions.length === 0) await this.signIn()
    const underWay = new Set<Promise<unknown>>()
    const begin = (work: Promise<unknown>) => {
      underWay.add(work)
      work.finally(() => underWay.delete(work))
    }
    const end = performance.now() + ms
    let signInAt = performance.now()
    for (let due = performance.now(); due < end; due += 1000 / perSecond) {
      await wait(Math.max(0, due - performance.now()))
      while (underWay.size >= UNDER_WAY_MAXIMUM) await Promise.race(underWay)
      due = Math.max(due, performance.now() - LATE_MAXIMUM_MS)
      if (due >= signInAt) begin(this.signIn())
      while (signInAt <= due) signInAt += SIGN_IN_INTERVAL_MS
      begin(this.ask(makeCall(this.asked++, this.stored)))
    }
    await Promise.all(underWay)
    this.agent.destroy()
    return this.seen
  }

  /** Signs in anew, and out where no request is under way any more. */
  private async signIn(): Promise<void> {
    const json = { password: this.site.password }
    const { headers } = await this.ask({ call: 'POST /api/session', json, expected: [204] }, this.device)
    const [session = '', device = ''] = headers['set-cookie']?.map((cookie) => cookie.split(';', 1)[0] ?? '') ?? []
    this.device = device
    this.sessions.unshift(session)
    const [over] = this.sessions.splice(2)
    if (over !== undefined) await this.ask({ call: 'DELETE /api/session', expected: [204] }, over)
  }

  private async ask(call: Call, cookie = call.signedIn ? this.sessions[0] : undefined): Promise<Answer> {
    const started = performance.now()
    try {
      const { status, ...answer } = await this.send(call, cookie)
      this.seen.times.push(performance.now() - started)
      const isBusy = status === BUSY && answer.headers['retry-after'] !== undefined
      if (isBusy) this.seen.busy++
      else if (!call.expected.includes(status)) throw new Error(`${status} ${answer.body.slice(0, 200)}`)
      if (status === 201 && call.call === 'POST /api/rsvp') this.stored.ids.push(JSON.parse(answer.body).id)
      return answer
    } catch (error) {
      this.seen.errors.push(`${call.call}: ${error}`)
      return { headers: {}, body: '' }
    }
  }

  private send({ call, json, form }: Call, cookie: string | undefined): Promise<Answer & { status: number }> {
    const [method, path] = call.split(' ')
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json))
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const headers = {
      // As browsers do: what compresses has memory of its own.
      'accept-encoding': 'br, gzip',
      ...(body !== undefined && { 'content-type': type }),
      ...(cookie && { cookie }),
    }
    return new Promise((resolve, reject) => {
      const options = { method, path, headers, agent: this.agent, timeout: PATIENCE_MS }
      const outgoing = request(this.site.url, options, async (incoming) => {
        // Cut off in the middle, it is no answer.
        const parts = await incoming.toArray().catch(reject)
        const text = Buffer.concat(parts ?? []).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text })
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer'))).on('error', reject)
      outgoing.end(body)
    })
  }
}
