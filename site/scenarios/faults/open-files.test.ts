import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import {
  ask,
  expectNothingRevealed,
  expectProblem,
  type Reply,
  type Site,
  storedRsvps,
} from '#site/scenarios/fixtures.ts'
import { afterTest, eventually, siteOn, testPlace } from './fixtures.ts'

/** For connections, and for what the site opens only when it is asked: more than for these alone. */
const SPARE_FILES = 32
const SENTENCE = /Too many connections and files are open.+LimitNOFILE/

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

/** A client that has a connection already and sends more requests on it. */
function visitor({ url }: Site) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterTest(() => agent.destroy())
  return (call: string, json?: unknown): Promise<Reply> => {
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

/** A site that may open only a few more files than it has open when idle. */
async function siteWithFewFiles() {
  const site = await siteOn(join(testPlace(), 'rsvp.db'))
  const files = openFiles(site) + SPARE_FILES
  const { status, stderr } = spawnSync('prlimit', [`--pid=${site.pid}`, `--nofile=${files}:${files}`])
  expect(status, String(stderr)).toBe(0)
  return { ...site, files }
}

function openFiles({ pid }: Site): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Opens more connections than the site may have files. */
async function useUpFiles(site: Site & { files: number }): Promise<Socket[]> {
  const sockets = Array.from({ length: site.files }, () =>
    connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => {}),
  )
  for (const socket of sockets) {
    socket.resume()
    afterTest(() => socket.destroy())
  }
  // One is kept back, to hang up on whoever finds none.
  await eventually(() => expect(openFiles(site)).toBeGreaterThanOrEqual(site.files - 1))
  return sockets
}

describe.skipIf(!hasPrlimit)('a site that may open no more files', () => {
  it('asks people to come back, says why in the log, and is itself again when there are some', async () => {
    const full = await siteWithFewFiles()
    const askOn = visitor(full)
    const paths = ['/share', '/', '/admin', '/nothing', '/favicon.svg', '/api/event', '/api/rsvps']
    // Nothing else was asked for before: what is opened only then is missing now.
    await askOn('GET /api/features')
    const sockets = await useUpFiles(full)
    const posted = await askOn('POST /api/rsvp', testRsvp())
    expectProblem(posted, 503)
    const replies = [posted]
    for (const path of paths) replies.push(await askOn(`GET ${path}`))
    expect(replies.map(({ status }) => status)).not.toContain(500)
    for (const reply of replies.filter(({ status }) => status === 503)) {
      expect(reply.headers['retry-after']).toMatch(/^\d+$/)
      expectNothingRevealed(reply.body)
    }
    expect(full.output()).toMatch(SENTENCE)
    expect(full.output()).not.toContain('unexpected error')

    for (const socket of sockets) socket.destroy()
    await eventually(async () => expect((await ask(full, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201))
    for (const path of paths) expect((await ask(full, `GET ${path}`)).status).toBe(path === '/nothing' ? 404 : 200)
    expect(await storedRsvps(full)).toHaveLength(1)
  })
})
