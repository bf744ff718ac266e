import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { ask, expectNothingRevealed, expectProblem, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'
import { holdLock as hold } from '#testing/hold-lock.mjs'
import { withOverrides } from '#testing/overrides.mjs'

const POSTING = 5

/** Makes the name in each RSVP of a test file unique. */
let sent = 0

/** Ends something after the test, however that ends. */
export function afterTest(stop: () => unknown): void {
  onTestFinished(async () => {
    await stop()
  })
}

/** A folder of its own, gone after the test. */
export function testPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-faults-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Start = {
  variables?: Record<string, string>
  overrides?: Parameters<typeof withOverrides>[0]
  within?: string[]
}

/**
 * The built server on a database file, with the most detailed log: nothing it logs may hold personal data. Its health
 * follows at once.
 */
export async function siteOn(file: string, { variables, overrides, within }: Start = {}) {
  const settings = { DATABASE_URL: `file:${file}`, LOG_LEVEL: 'trace' }
  const shorter = withOverrides({ WRITE_PROBE_TTL_MS: 100, ...overrides })
  const site = await startBuiltServer({ ...settings, ...shorter, ...variables }, within)
  afterTest(site.stop)
  return site
}

/** An RSVP of which nothing may appear in a reply or in the log. */
export function canary(name: string) {
  const familyMembers = [{ name: `${name} Junior` }]
  return testRsvp({
    name,
    email: 'canary@b.example',
    message: 'Canary '.repeat(60),
    familyMembers,
    volunteerRoles: [1, 2],
  })
}

type Seen = { name: string; status: number; sentAt: number; reply: Reply | undefined }

/**
 * Five clients that post one RSVP after the other. Every second one gives its RSVPs a key and sends each until it is
 * stored, as the form does; the others trust the reply and never send an RSVP twice.
 */
export function fiveClients(site: Site) {
  const seen: Seen[] = []
  let posting = true

  async function client(number: number): Promise<void> {
    const persistent = number % 2 === 0
    while (posting) {
      const name = `Canary ${number} ${sent++}`
      const headers: Record<string, string> = persistent ? { 'idempotency-key': name.replaceAll(' ', '-') } : {}
      for (let status = 0; status !== 201; ) {
        const sentAt = performance.now()
        const reply = await ask(site, 'POST /api/rsvp', { json: canary(name), headers }).catch(() => undefined)
        status = reply?.status ?? 0
        seen.push({ name, status, sentAt, reply })
        await wait(20)
        if (!persistent || !posting) break
      }
    }
  }
  const done = Promise.all(Array.from({ length: POSTING }, (_, number) => client(number)))
  const stop = async () => {
    posting = false
    await done
  }
  afterTest(stop)

  /** Waits until so many more requests that are sent from now on got this status. */
  async function until(status: number, times = POSTING): Promise<void> {
    const from = performance.now()
    await eventually(() => {
      const now = seen.filter(({ sentAt }) => sentAt > from)
      expect(
        now.filter((each) => each.status === status).length,
        `${status} among ${tally(now)}`,
      ).toBeGreaterThanOrEqual(times)
    })
  }
  return { seen, until, stop }
}

export type Clients = ReturnType<typeof fiveClients>

function tally(seen: Seen[]): string {
  return JSON.stringify(
    Object.groupBy(seen, ({ status }) => status),
    (_, value) => (Array.isArray(value) ? value.length : value),
  )
}

/** Asks again and again until the expectation holds. */
export async function eventually(expectation: () => unknown): Promise<void> {
  await vi.waitFor(expectation, { interval: 20 })
}

/** Every reply had one of these statuses, refusals say what to do, and neither they nor the log reveal anything. */
export function expectDiscreet(site: Site, { seen }: Pick<Clients, 'seen'>, allowed: number[]): void {
  for (const { status, reply } of seen) {
    expect(allowed, reply?.body).toContain(status)
    if (reply === undefined || status === 201) continue
    expectProblem(reply, status)
    if (status === 503) expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    expect(reply.body + JSON.stringify(reply.headers)).not.toMatch(/canary|rsvp-faults/i)
  }
  expect(site.output()).not.toMatch(/canary|rsvp-faults|unexpected error/i)
  expectNothingRevealed(site.output())
}

/** The whole site works, as if nothing had been. */
export async function expectWell(site: Site): Promise<void> {
  await expectReading(site)
  await expectServed(site, ['/privacy', '/api/event', '/api/features', '/api/health'])
}

/** Everything that is read, as long as the database can be. */
export const expectReading = (site: Site) =>
  expectServed(site, ['/', '/share', '/admin', '/api/rsvps?limit=3', '/api/rsvps/download'])

async function expectServed(site: Site, paths: string[]): Promise<void> {
  for (const path of paths) {
    const { status, body } = await ask(site, `GET ${path}`)
    expect([path, status, status === 200 ? '' : body.slice(0, 200)]).toEqual([path, 200, ''])
  }
}

/** What is wrong, in a sentence, for whoever watches the site. */
export function expectUnwell(site: Site, reason: RegExp): Promise<void> {
  // It tries a write, but not for every request.
  return eventually(async () => {
    const reply = await ask(site, 'GET /api/health')
    expectProblem(reply, 503)
    expect(JSON.parse(reply.body).detail).toMatch(reason)
  })
}

export type Stored = { name: string; members: string; roles: number }

/** Every response in a database file, read from a copy: only what is on the disk counts. */
export function storedIn(file: string): Stored[] {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-copy-'))
  try {
    const copy = join(folder, 'rsvp.db')
    for (const end of ['', '-journal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
    const database = new DatabaseSync(copy)
    try {
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
      const rows = database.prepare(`SELECT name,
        (SELECT group_concat(name) FROM family_members WHERE rsvp_id = rsvps.id) AS members,
        (SELECT count(*) FROM volunteer_signups WHERE rsvp_id = rsvps.id) AS roles FROM rsvps ORDER BY id`)
      return rows.all() as Stored[]
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What was acknowledged is stored, nothing half and nothing twice; what was refused is not, unless it was sent again.
 * A reply that never came says nothing; nor does a refusal where the file was taken away in the midst of a write.
 */
export function expectKept({ seen }: Pick<Clients, 'seen'>, stored: Stored[], refusedMayBeThere = false): void {
  const names = stored.map(({ name }) => name).filter((name) => name.startsWith('Canary'))
  const kept = new Set(names)
  expect(names).toHaveLength(kept.size)
  for (const { name, members, roles } of stored) {
    if (kept.has(name)) expect([members, roles]).toEqual([`${name} Junior`, 2])
  }
  const acknowledged = new Set(seen.filter(({ status }) => status === 201).map(({ name }) => name))
  expect(acknowledged.size).toBeGreaterThan(0)
  expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([])
  const isUnknown = (status: number) => status === 0 || (refusedMayBeThere && status === 503)
  const unknown = new Set(seen.filter(({ status }) => isUnknown(status)).map(({ name }) => name))
  expect(names.filter((name) => !acknowledged.has(name) && !unknown.has(name))).toEqual([])
}

/** Holds the lock of a database, until the test ends at the latest; returns a function that releases it. */
export async function holdLock(file: string, how?: Parameters<typeof hold>[1]) {
  const release = await hold(file, how)
  afterTest(release)
  return release
}

/** An RSVP of which the server has read the beginning: it says so itself with 100 Continue. */
export async function beginPost({ url }: Pick<Site, 'url'>, json: string) {
  const { hostname, host, port } = new URL(url)
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, '')).setEncoding('utf8')
  const head = ['POST /api/rsvp HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', 'Expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n`)
  let said = ''
  socket.on('data', (text) => {
    said += text
  })
  // Also where it is reset: then what it said is not what is expected.
  const text = new Promise<string>((resolve) => socket.on('error', () => {}).once('close', () => resolve(said)))
  await eventually(() => expect(said).toMatch(/^HTTP\/1\.1 100 /))
  return { finish: () => socket.write(json), text }
}
