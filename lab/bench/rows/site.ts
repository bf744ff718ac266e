import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../../scripts/local-node.mjs'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { makeRsvp, type RsvpBody } from '../../ledger.ts'
import { NoReply, send, signIn } from '../../load.ts'
import { Random } from '../../random.ts'
import { both, each, type Figure, inRounds, inTurns, type Row } from '../figures.ts'
import { type LoadSample, load } from '../load.ts'
import {
  environmentOf,
  forgetPeakMemory,
  memoryOf,
  node,
  onMeasuredCore,
  peakMemoryOf,
  type Server,
  type Site,
  startLimit,
  startSameReply,
  startSite,
} from '../measured.ts'
import { copyOfStored, password, YEAR_OF_HUNDREDS } from '../stored.ts'

const POLL_MS = 2
const REST_MS = 1000
const LISTED = [10_000, 100_000]

const entry = join(root, 'dist', 'server', 'entry.mjs')
const rawServer = join(import.meta.dirname, '..', 'limits', 'fixed-reply.mjs')

const body: RsvpBody = {
  name: 'Ana Cole',
  email: 'ana.{number}@visitor.example',
  phone: '+1 555 0100',
  message: 'We look forward to it.',
  attending: true,
  familyMembers: [
    { name: 'Joel Cole', age: 'adult', attending: true },
    { name: 'Ida Cole', age: 'child', attending: true },
  ],
  volunteerRoles: [3],
}
/** As the form sends it. */
const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-{number}', 'form-age': '30000' }
const rsvpRequest = { method: 'POST', path: '/api/rsvp', headers, body: JSON.stringify(body), expected: 201 }

export const siteRows: Record<string, Row> = {
  H1: {
    about: '`/share` and `/`, guarded, 32 connections; limit: node:http with the same bytes in memory',
    rounds: 5,
    async measure(rounds) {
      await using ours = await startSite(YEAR_OF_HUNDREDS)
      await using share = await startSameReply(`${ours.url}/share`)
      await using main = await startSameReply(`${ours.url}/`)
      return [
        await repliesOf('/share', rounds, { ours, limit: share }, 0.2),
        await repliesOf('/', rounds, { ours, limit: main }, 0.2),
      ]
    },
  },
  H1o: {
    about: '`/share`, open: drawn each time, 32 connections',
    rounds: 5,
    async measure(rounds) {
      await using site = await startSite(YEAR_OF_HUNDREDS, { open: true })
      const samples = await inRounds(rounds, () => load(site, { path: '/share' }))
      return [{ name: 'CPU per page', unit: 'ms', ours: each(samples, 'cpu'), target: { atMost: 4.6 } }]
    },
  },
  H2: {
    about: '`GET /api/features`, 32 connections; limit: node:http with the same JSON',
    rounds: 7,
    async measure(rounds) {
      await using ours = await startSite(0)
      await using limit = await startSameReply(`${ours.url}/api/features`)
      return [await repliesOf('/api/features', rounds, { ours, limit }, 0.14)]
    },
  },
  H3: {
    about:
      '`POST /api/rsvp`, 2 members and a role, durable; limit: node:http and node:sqlite, a commit each, WAL, FULL',
    rounds: 7,
    async measure(rounds) {
      await using stored = await copyOfStored(0)
      await using site = await startSite(0)
      await using raw = await startLimit('durable-rsvp.mjs', stored.file)
      const samples = await inTurns(rounds, {
        ours: () => loadAndCount(site, site.database),
        limit: () => loadAndCount(raw, stored.file),
      })
      return [
        { name: 'replies', unit: '/s', ...both(samples, 'rate'), target: { atLeast: 0.3 } },
        { name: 'p99', unit: 'ms', ...both(samples, 'p99'), target: { atMost: 3 } },
      ]
    },
  },
  H4: {
    about: 'start to the first `/share`; first write; limit: start of a raw node:http server to its first reply',
    rounds: 11,
    async measure(rounds) {
      await using stored = await copyOfStored(YEAR_OF_HUNDREDS)
      const samples = await inTurns(rounds, {
        ours: () => started(entry, stored.file, true),
        limit: () => started(rawServer, stored.file, false),
      })
      return [
        { name: 'first page', unit: 'ms', ...both(samples, 'ready'), target: { atMost: 4.1 } },
        { name: 'first write', unit: 'ms', ours: each(samples.ours, 'write'), target: { atMost: 100 } },
      ]
    },
  },
  H5: {
    about: 'memory at rest after the first write, and under load; limit: a raw node:http server',
    rounds: 3,
    async measure(rounds) {
      const samples = await inTurns(rounds, {
        ours: () => memoryUnderLoad(startSite(YEAR_OF_HUNDREDS), 201),
        limit: () => memoryUnderLoad(startLimit('fixed-reply.mjs'), 200),
      })
      return [
        { name: 'at rest', unit: 'MiB', ...both(samples, 'rest'), target: { atMost: 2 } },
        { name: 'under load', unit: 'MiB', ...both(samples, 'load'), target: { atMost: 2.8 } },
      ]
    },
  },
  R1: {
    about: '`GET /api/rsvps` whole, uncompressed; limit: node:http, the same JSON made by node:sqlite in one statement',
    rounds: 7,
    async measure(rounds) {
      const figures: Figure[] = []
      for (const stored of LISTED) figures.push(...(await wholeList(stored, rounds)))
      return figures
    },
  },
}

async function repliesOf(
  path: string,
  rounds: number,
  servers: Record<'ours' | 'limit', Server>,
  atLeast: number,
): Promise<Figure> {
  const samples = await inTurns(rounds, {
    ours: () => load(servers.ours, { path }),
    limit: () => load(servers.limit, { path }),
  })
  return { name: `\`${path}\``, unit: '/s', ...both(samples, 'rate'), target: { atLeast } }
}

/** Throws if fewer RSVPs are stored than were acknowledged. */
async function loadAndCount(server: Server, file: string): Promise<LoadSample> {
  const before = countIn(file)
  const sample = await load(server, rsvpRequest)
  const stored = countIn(file) - before
  if (stored !== sample.replies) throw new Error(`${sample.replies} RSVPs were acknowledged, ${stored} are stored.`)
  return sample
}

function countIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM rsvps').get()?.count)
  } finally {
    database.close()
  }
}

async function started(program: string, database: string, writes: boolean) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const [command = '', ...words] = [...onMeasuredCore, node, program]
  const env = { ...environmentOf(database), HOST: '127.0.0.1', PORT: String(port) }
  const begun = performance.now()
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  while (!(await send(url, 'GET /share').catch(withoutReply))) await wait(POLL_MS)
  const ready = performance.now() - begun
  const written = writes ? await send(url, 'POST /api/rsvp', makeRsvp('first', new Random(1))) : undefined
  child.kill('SIGKILL')
  await exited
  return { ready, write: written?.ms ?? Number.NaN }
}

function withoutReply(error: unknown): undefined {
  if (!(error instanceof NoReply)) throw error
}

async function memoryUnderLoad(starting: Promise<Server>, written: number) {
  await using server = await starting
  await send(server.url, 'GET /share')
  await send(server.url, 'POST /api/rsvp', makeRsvp('first', new Random(1)))
  await wait(REST_MS)
  const rest = memoryOf(server.pid)
  await load(server, { path: '/share' })
  await load(server, { path: '/' })
  await load(server, { ...rsvpRequest, expected: written })
  return { rest, load: peakMemoryOf(server.pid) }
}

async function wholeList(stored: number, rounds: number): Promise<Figure[]> {
  await using ours = await startSite(stored)
  await using limit = await startLimit('list-json.mjs', ours.database)
  const cookie = await signIn(ours.url, password)
  const samples = await inTurns(rounds, { ours: () => readList(ours, cookie), limit: () => readList(limit, cookie) })
  if (samples.ours.some(({ bytes }) => bytes !== samples.limit[0]?.bytes))
    throw new Error('The lists differ in length.')
  const count = stored.toLocaleString('en-US')
  return [
    { name: `${count}: whole list`, unit: 'ms', ...both(samples, 'ms'), target: { atMost: 2 } },
    { name: `${count}: first byte`, unit: 'ms', ours: each(samples.ours, 'firstMs'), target: { atMost: 10 } },
    { name: `${count}: memory more`, unit: 'MiB', ours: each(samples.ours, 'memory'), target: { atMost: 50 } },
  ]
}

async function readList({ url, pid }: Server | Site, cookie: string) {
  const memory = memoryOf(pid)
  forgetPeakMemory(pid)
  const { firstMs, ms, body } = await send(url, 'GET /api/rsvps', undefined, { cookie })
  return { firstMs, ms, bytes: body.length, memory: peakMemoryOf(pid) - memory }
}
