import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { guardedSite, insertRsvps, signIn } from '#site/scenarios/guarded-fixtures.ts'

const MANY = 1000

describe('300 visitors who request the whole list at once', () => {
  const site = guardedSite()
  const list = (headers: Record<string, string> = {}) => ask(site(), 'GET /api/rsvps', { headers })
  let cookie = ''
  beforeAll(async () => {
    insertRsvps(site(), MANY)
    cookie = await signIn(site())
  })

  it('are told to retry later, and delay neither an administrator nor a page', async () => {
    // The server pauses until all requests are sent: otherwise it would reply to the first ones before the last arrive.
    process.kill(site().pid ?? 0, 'SIGSTOP')
    const asked = Array.from({ length: 300 }, () => request(`${site().url}/api/rsvps`, { agent: false }).end())
    const pending = Promise.all(asked.map(replyTo))
    await Promise.all(asked.map((each) => once(each, 'finish')))
    process.kill(site().pid ?? 0, 'SIGCONT')
    expect(JSON.parse((await list({ cookie })).body)).toHaveLength(MANY)
    expect((await ask(site(), 'GET /share')).status).toBe(200)
    const replies = await pending
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { type, wait, body } of refused) {
      expect([type, wait]).toEqual(['application/problem+json', '5'])
      expect(JSON.parse(body).detail).toMatch(/Try again in a few seconds\.$/)
    }
    const served = replies.filter(({ status }) => status === 200)
    expect(served.length).toBe(replies.length - refused.length)
    for (const { body } of served) expect(JSON.parse(body)).toHaveLength(MANY)
  })

  it('free their places when they disconnect early or read no body', async () => {
    for (let count = 0; count < 40; count++) {
      expect((await ask(site(), 'HEAD /api/rsvps')).status).toBe(200)
      await leaveInTheMiddle()
    }
    await vi.waitFor(async () => expect((await list()).status).toBe(200))
  })

  async function replyTo(asked: ClientRequest) {
    const [reply] = await once(asked, 'response')
    const { 'content-type': type, 'retry-after': wait } = reply.headers
    return { status: reply.statusCode, type, wait, body: Buffer.concat(await reply.toArray()).toString() }
  }

  function leaveInTheMiddle(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(site().url).port), '127.0.0.1')
      socket.on('error', () => {}).on('close', () => resolve())
      socket.once('data', () => socket.destroy())
      socket.write('GET /api/rsvps HTTP/1.1\r\nHost: localhost\r\n\r\n')
    })
  }
})
