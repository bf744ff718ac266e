import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { afterTest, eventually, siteOn, testPlace } from './faults-fixtures.ts'
import { type Answer, ask, expectNothingRevealed, expectProblem, type Site, storedRsvps } from './fixtures.ts'

/** As few as the site starts with, and some for connections. */
const FILES = 64
const SENTENCE = /Too many connections and files are open.+LimitNOFILE/

/** Somebody who has a connection already, and asks on. */
function visitor({ url }: Site) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterTest(() => agent.destroy())
  return (call: string, json?: unknown): Promise<Answer> => {
    const [method, path] = call.split(' ')
    const headers = json === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const asked = request(url + path, { agent, method, headers }, async (reply) => {
        const bytes = Buffer.concat(await reply.toArray())
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: bytes.toString(), bytes })
      })
      asked.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
    })
  }
}

/** Opens connections until the site takes no more of them. */
async function useUpFiles({ url }: Site): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.filter(({ destroyed }) => destroyed).length < 5) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    await once(socket.resume(), 'connect')
    sockets.push(socket)
  }
  return sockets
}

const site = () => siteOn(join(testPlace(), 'rsvp.db'), { within: ['prlimit', `--nofile=${FILES}:${FILES}`] })
const expectComeBack = (answer: Answer) => {
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expectNothingRevealed(answer.body)
}

describe('a site that may open no more files', { timeout: 60_000 }, () => {
  it.each(['before anything was asked for', 'after everything was asked for once'])(
    'asks people to come back, %s, says why in the log, and is itself again when there are some',
    async (when) => {
      const full = await site()
      const askOn = visitor(full)
      const paths = ['/share', '/', '/admin', '/nothing', '/favicon.svg', '/api/event', '/api/rsvps']
      await askOn('GET /api/features')
      if (when.startsWith('after')) for (const path of paths) await askOn(`GET ${path}`)
      const sockets = await useUpFiles(full)
      const posted = await askOn('POST /api/rsvp', testRsvp())
      expectProblem(posted, 503)
      expectComeBack(posted)
      const statuses: number[] = []
      for (const path of paths) {
        const answer = await askOn(`GET ${path}`)
        statuses.push(answer.status)
        if (answer.status === 503) expectComeBack(answer)
      }
      expect(statuses).not.toContain(500)
      expect(statuses).toContain(503)
      expect(full.output()).toMatch(SENTENCE)
      expect(full.output()).not.toContain('unexpected error')

      for (const socket of sockets) socket.destroy()
      await eventually(async () => expect((await ask(full, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201))
      for (const path of paths) expect((await ask(full, `GET ${path}`)).status).toBe(path === '/nothing' ? 404 : 200)
      expect(await storedRsvps(full)).toHaveLength(1)
    },
  )
})
