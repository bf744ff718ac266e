import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { chromium as engine, type Page } from '@playwright/test'
import { LIMIT, shareBundle } from '../../scripts/share-bundle.mjs'
import { chromium } from '../../scripts/testing/chromium.mjs'
import { send } from '../load.ts'
import { forgetPeakMemory, load, memoryOf, timeOf } from './measured.ts'
import { copyOfStored, password, rsvp, type Server, type Site, startLimit, startSite } from './servers.ts'

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
const EXPORTED = 300_000
const TIMEOUT_MS = 60_000
/** How much slower a mid-range phone is than this machine. */
const SLOWER = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

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

/** The columns of our CSV with the same texts, but without the calendar and without defused formulas. */
const SELECTED = `
  SELECT id, name, email, phone, message, iif(attending, 'Attending', 'Not Attending'),
    (SELECT group_concat(name || iif(age IS NULL AND attending, '',
        ' (' || ltrim(coalesce(age, '') || iif(attending, '', ', not attending'), ', ') || ')'), '; ')
      FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position)),
    (SELECT group_concat(name, '; ') FROM (SELECT volunteer_roles.name FROM volunteer_signups
      JOIN volunteer_roles ON volunteer_roles.id = role_id WHERE rsvp_id = rsvps.id ORDER BY role_id)),
    calendar_type, created_at, service_date, changed_at
  FROM rsvps WHERE deleted_at IS NULL ORDER BY id DESC`

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
    about: '`GET /api/rsvps` whole, uncompressed; limit: node:http, the same JSON made by node:sqlite in one statement',
    rounds: 7,
    async measure(rounds) {
      const figures: Figure[] = []
      for (const stored of [10_000, 100_000]) figures.push(...(await wholeList(stored, rounds)))
      return figures
    },
  },
  C1: {
    about: '`rsvp export` of 300,000 responses as CSV; limit: `sqlite3 -csv` with the same columns from the same file',
    rounds: 3,
    async measure(rounds) {
      await using stored = await copyOfStored(EXPORTED)
      const { folder, file } = stored
      const [written, output] = [join(folder, 'ours.csv'), join(folder, 'limit.csv')]
      const ours = [rsvp, 'export', '--quiet', '--force', '--out', written]
      const limit = ['sqlite3', '-csv', file, SELECTED]
      const samples = await inTurns(rounds, (words) => timeOf(words, file, output), ours, limit)
      for (const made of [written, output])
        if (statSync(made).size < EXPORTED * 100) throw new Error(`${made} is too short to hold all responses.`)
      return [
        { name: 'the whole file', unit: 'ms', ...each(samples, 'ms'), better: '≤', target: 8 },
        { name: 'memory at most', unit: 'MiB', ours: each(samples, 'memory').ours, better: '≤', target: 140 },
      ]
    },
  },
  B1: {
    about: 'JavaScript of `/share` before the first interaction, gzip',
    rounds: 1,
    async measure() {
      return [{ name: 'size', unit: 'bytes', ours: [(await shareBundle()).total], better: '≤', target: LIMIT }]
    },
  },
  A1: {
    about: '`/admin?week=all` with 100,000 responses on a phone, CPU 4 × slower; limit: the same page with 100',
    rounds: 3,
    async measure(rounds) {
      await using many = await startSite(100_000)
      await using few = await startSite(100)
      const samples = await inTurns(rounds, adminOpened, many, few)
      return [
        { name: 'ready', unit: 'ms', ...each(samples, 'ready'), better: '≤', target: 4 },
        { name: 'select all', unit: 'ms', ours: each(samples, 'selected').ours, better: '≤', target: 160 },
      ]
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

async function wholeList(stored: number, rounds: number): Promise<Figure[]> {
  await using site = await startSite(stored)
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
  const count = stored.toLocaleString('en-US')
  return [
    { name: `${count}: whole list`, unit: 'ms', ...each(samples, 'ms'), better: '≤', target: 2 },
    { name: `${count}: first byte`, unit: 'ms', ours: each(samples, 'firstMs').ours, better: '≤', target: 15 },
    { name: `${count}: memory more`, unit: 'MiB', ours: each(samples, 'memory').ours, better: '≤', target: 50 },
  ]
}

/** In ms: `ready` from its address until usable, `selected` from clicking "Select all" to the frame that shows it. */
async function adminOpened({ url }: Server) {
  await using browser = await engine.launch({ executablePath: await chromium(), args: ARGUMENTS })
  const page = await browser.newPage({ ...PHONE, baseURL: url })
  page.setDefaultTimeout(TIMEOUT_MS)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.request.post('/api/session', { data: { password }, failOnStatusCode: true })
  const started = performance.now()
  await page.goto('/admin?week=all')
  await becameUsable(page)
  const ready = performance.now() - started
  const selectAll = page.getByRole('checkbox', { name: 'Select all' })
  const selected = await selectAll.evaluate(async (checkbox: HTMLInputElement) => {
    const clicked = performance.now()
    checkbox.click()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    if (!checkbox.checked) throw new Error('Nothing was selected.')
    return performance.now() - clicked
  })
  return { ready, selected }
}

/** Waits until React has taken over the last control of the page, and nothing is left to do. */
async function becameUsable(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll('astro-island[client="load"] :is(button, input)')].at(-1)
    return last !== undefined && Object.keys(last).some((key) => key.startsWith('__reactProps'))
  })
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
}
