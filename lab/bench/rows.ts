import { DatabaseSync } from 'node:sqlite'
import { LIMIT, shareBundle } from '../../scripts/share-bundle.mjs'
import { send } from '../load.ts'
import { forgetPeakMemory, load, memoryOf } from './measured.ts'
import { copyOfStored, password, type Server, type Site, startLimit, startSite } from './servers.ts'

/** One thing that a row measures, a sample per round. The target is of the ratio to the limit if there is one. */
export type Figure = {
  name: string
  unit: string
  ours: number[]
  limit?: number[]
  target: number
  /** What is better: at least or at most the target. */
  better: '≥' | '≤'
}

type Sample = Record<string, number>
type Samples = Record<'ours' | 'limit', Sample[]>

type Row = {
  /** What is measured, and the limit with which it is compared in the same run. */
  about: string
  /** How often by default: a row takes less than about two minutes. */
  rounds: number
  measure(rounds: number): Promise<Figure[]>
}

/** A year of a church with a hundred responses a week; pages for visitors show those of this week. */
const YEAR_OF_HUNDREDS = 5200
/** A hundred a week over two years */
const LISTED = 10_000

/** As the form sends it. */
const rsvpRequest = {
  path: '/api/rsvp',
  headers: { 'content-type': 'application/json', 'idempotency-key': 'key-{number}', 'form-age': '30000' },
  body: JSON.stringify({
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
  }),
}

export const rows: Record<string, Row> = {
  H1: {
    about: '`/share` and `/`, guarded, 32 connections; limit: node:http with the same bytes in memory',
    rounds: 5,
    async measure(rounds) {
      await using site = await startSite(YEAR_OF_HUNDREDS)
      const figures: Figure[] = []
      for (const path of ['/share', '/']) {
        await using same = await startLimit('reply', site.url + path)
        const samples = await inTurns(rounds, (server: Server) => load(server, { path }), site, same)
        figures.push({ name: `\`${path}\``, unit: '/s', ...each(samples, 'rate'), better: '≥', target: 0.2 })
      }
      return figures
    },
  },
  H3: {
    about: '`POST /api/rsvp`, 2 members, a role, durable; limit: node:http and node:sqlite, a commit each, WAL, FULL',
    rounds: 7,
    async measure(rounds) {
      await using stored = await copyOfStored(0)
      await using site = await startSite(0)
      await using raw = await startLimit('rsvp', stored.file)
      const samples = await inTurns(rounds, loadAndCount, site, { ...raw, database: stored.file })
      return [
        { name: 'replies', unit: '/s', ...each(samples, 'rate'), better: '≥', target: 0.2 },
        { name: 'p99', unit: 'ms', ...each(samples, 'p99'), better: '≤', target: 3 },
      ]
    },
  },
  R1: {
    about:
      '`GET /api/rsvps` whole, 10,000, uncompressed; limit: node:http, the same JSON made by node:sqlite in one statement',
    rounds: 7,
    measure: wholeList,
  },
  B1: {
    about: 'JavaScript of `/share` before the first interaction, gzip',
    rounds: 1,
    async measure() {
      return [{ name: 'size', unit: 'bytes', ours: [(await shareBundle()).total], better: '≤', target: LIMIT }]
    },
  },
}

/** Measures ours and the limit in turns, so that a change in the machine's speed affects both. */
async function inTurns<Of>(rounds: number, measure: (of: Of) => Promise<Sample>, ours: Of, limit: Of) {
  const samples: Samples = { ours: [], limit: [] }
  for (let round = 0; round <= rounds; round++) {
    const [our, their] = [await measure(ours), await measure(limit)]
    // The first one of each warms up: files are read into memory, code is compiled.
    if (round === 0) continue
    samples.ours.push(our)
    samples.limit.push(their)
  }
  return samples
}

/** One number of every sample. */
function each({ ours, limit }: Samples, name: string) {
  const numbers = (list: Sample[]) => list.map((sample) => sample[name] ?? Number.NaN)
  return { ours: numbers(ours), limit: numbers(limit) }
}

/** Throws if fewer RSVPs are stored than were acknowledged. */
async function loadAndCount(server: Site) {
  const before = countIn(server.database)
  const sample = await load(server, rsvpRequest)
  const stored = countIn(server.database) - before
  if (stored !== sample.replies) throw new Error(`${sample.replies} RSVPs were acknowledged, ${stored} are stored.`)
  return sample
}

function countIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const count = Number(database.prepare('SELECT count(*) AS count FROM rsvps').get()?.count)
  database.close()
  return count
}

async function wholeList(rounds: number): Promise<Figure[]> {
  await using site = await startSite(LISTED)
  await using limit = await startLimit('list', site.database)
  const { headers } = await send(site.url, 'POST /api/session', { password })
  const cookie = headers.getSetCookie().map((one) => one.replace(/;.*/, ''))
  const readList = async ({ url, pid }: Server) => {
    const memory = memoryOf(pid, 'VmRSS')
    forgetPeakMemory(pid)
    const { firstMs, ms, body } = await send(url, 'GET /api/rsvps', undefined, { cookie: cookie.join('; ') })
    return { firstMs, ms, length: body.length, memory: memoryOf(pid, 'VmHWM') - memory }
  }
  const samples = await inTurns(rounds, readList, site, limit)
  const lengths = each(samples, 'length')
  if (new Set([...lengths.ours, ...lengths.limit]).size > 1) throw new Error('The lists differ in length.')
  return [
    { name: 'whole list', unit: 'ms', ...each(samples, 'ms'), better: '≤', target: 2 },
    { name: 'first byte', unit: 'ms', ours: each(samples, 'firstMs').ours, better: '≤', target: 15 },
    { name: 'memory more', unit: 'MiB', ours: each(samples, 'memory').ours, better: '≤', target: 50 },
  ]
}
