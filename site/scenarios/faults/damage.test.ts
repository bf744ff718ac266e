import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, expectProblem, type Site, spawnServer } from '#site/scenarios/fixtures.ts'
import {
  type Clients,
  canary,
  eventually,
  expectDiscreet,
  expectKept,
  expectWell,
  fiveClients,
  siteOn,
  storedIn,
  testPlace,
} from './fixtures.ts'

let filled: Promise<Buffer> | undefined

/** A database file with a hundred families that no process has open. */
async function filledFile(): Promise<string> {
  filled ??= fill()
  const file = join(testPlace(), 'rsvp.db')
  writeFileSync(file, await filled, { mode: 0o600 })
  return file
}

async function fill(): Promise<Buffer> {
  const file = join(testPlace(), 'rsvp.db')
  const site = await siteOn(file)
  expect((await ask(site, 'POST /api/rsvp', { json: canary('Ana Cole') })).status).toBe(201)
  await site.stop()
  const database = new DatabaseSync(file)
  database.exec(`
    WITH RECURSIVE visitor(id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM visitor WHERE id < 150)
    INSERT INTO rsvps (id, key, name, email, message, attending, add_to_calendar, created_at, service_date, public_name)
      SELECT id, 'key ' || id || ' ' || hex(zeroblob(20)), 'Visitor ' || id, 'canary@b.example', hex(zeroblob(150)), 1, 0, '2025-01-05T14:00:00.000Z',
        '2025-01-11', 'V.'
      FROM visitor;
    INSERT INTO family_members SELECT rsvps.id, number.value, name || ' Junior', 'child', 1, 0
      FROM rsvps, json_each('[0,1,2,3,4]') AS number WHERE rsvps.id > 1`)
  database.close()
  return readFileSync(file)
}

/** Where the pages of a table or an index begin, in its order. */
function leavesOf(file: string, tree: string): number[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 60_000 })
  const pages = database.prepare("SELECT pgoffset FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
  const offsets = pages.all(tree).map(({ pgoffset }) => Number(pgoffset))
  database.close()
  expect(offsets.length).toBeGreaterThan(1)
  return offsets
}

function middleOf(file: string, tree: string): number {
  const pages = leavesOf(file, tree)
  return pages[Math.floor(pages.length / 2)] ?? 0
}

/** Turns bits in place, as a bad disk does. The same again turns them back. */
function flip(file: string, at: number, bits: number[]): void {
  const opened = openSync(file, 'r+')
  const bytes = Buffer.alloc(bits.length)
  readSync(opened, bytes, 0, bytes.length, at)
  writeSync(
    opened,
    bytes.map((byte, position) => byte ^ (bits[position] ?? 0)),
    0,
    bytes.length,
    at,
  )
  closeSync(opened)
}

const PAGE = 4096
/** Of a page: what it is, how many rows it has, where they begin. */
const HEAD = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]

/** What is done to a file, by what it damages. */
const damages: [string, (file: string) => void][] = [
  ['one bit of where a response lies', (file) => flip(file, middleOf(file, 'rsvps') + 8, [0x08])],
  ['one bit in the middle of an index', (file) => flip(file, readFileSync(file).lastIndexOf('key 75') + 5, [0x01])],
  ['the list of the tables', (file) => flip(file, 100, HEAD)],
  ['a page that is all zeros', (file) => zero(file, middleOf(file, 'family_members'))],
  ['the last half, cut off', (file) => cutInHalf(file)],
]

describe('the start on a damaged file', () => {
  it('ends with the command that brings back a copy, whatever is damaged', async () => {
    await filledFile()
    await Promise.all(damages.map(expectRefusal))
  })

  async function expectRefusal([what, damage]: (typeof damages)[number]): Promise<void> {
    const file = await filledFile()
    damage(file)
    const bytes = readFileSync(file)
    const { child, ended, printed } = spawnServer({ PORT: '0', DATABASE_URL: `file:${file}`, LOG_LEVEL: 'trace' })
    // It must end by itself.
    child.stdout?.once('data', () => child.kill('SIGKILL'))
    expect([what, await ended, printed.stdout]).toEqual([what, { code: 78 }, ''])
    expect(printed.stderr).toMatch(/^[^\n]+\n$/)
    expect(printed.stderr).toContain(file)
    expect(printed.stderr).toContain('npx rsvp backup restore FILE')
    expect(printed.stderr).not.toMatch(/canary|Visitor/i)
    expectNothingRevealed(printed.stderr)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  }
})

describe('damage under the server', () => {
  /** The site forgets what it has read when another program writes. */
  function touch(file: string): void {
    const database = new DatabaseSync(file, { timeout: 60_000 })
    database.exec('CREATE TABLE touched (x); DROP TABLE touched')
    database.close()
  }

  async function expectAlive(site: Site): Promise<void> {
    for (const call of ['/', '/share', '/admin', '/api/rsvps', '/api/rsvps?limit=200', '/api/rsvps/download']) {
      // A list of which the beginning has been sent can only be broken off.
      const reply = await ask(site, `GET ${call}`).catch(() => undefined)
      expect([200, 503, undefined]).toContain(reply?.status)
      if (reply?.status === 503 && call.startsWith('/api')) expectProblem(reply, 503)
      if (reply?.status === 200 && call.includes('/api/rsvps')) expect(reply.body).toMatch(/\]$|\n$/)
    }
    expect((await ask(site, 'GET /favicon.svg')).status).toBe(200)
  }

  const places: [call: string, place: (file: string) => number][] = [
    ['GET /admin', (file) => middleOf(file, 'rsvps')],
    ['POST /api/rsvp', (file) => leavesOf(file, 'family_members').at(-1) ?? 0],
    ['GET /share', () => 0],
  ]

  it('gets a 503 where it is read, nothing else happens, and it is over with the damage', async () => {
    const file = await filledFile()
    const site = await siteOn(file)
    const seen: Clients['seen'] = []
    for (const [call, place] of places) {
      const at = place(file)
      touch(file)
      flip(file, at, HEAD)
      const damaged = fiveClients(site)
      await eventually(async () => {
        const { status } = await ask(site, call, call.startsWith('POST') ? { json: canary('Canary Damage') } : {})
        expect(status).toBe(503)
      })
      await expectAlive(site)
      await damaged.stop()
      flip(file, at, HEAD)
      await eventually(() => expectWell(site))
      expectDiscreet(site, damaged, [201, 503])
      const after = fiveClients(site)
      await after.until(201)
      await after.stop()
      seen.push(...damaged.seen, ...after.seen)
    }
    await site.stop()
    expectKept({ seen }, storedIn(file))
  })
})

function zero(file: string, at: number): void {
  const page = readFileSync(file).subarray(at, at + PAGE)
  flip(file, at, [...page])
}

function cutInHalf(file: string): void {
  const bytes = readFileSync(file)
  const opened = openSync(file, 'w')
  writeSync(opened, bytes.subarray(0, Math.floor(bytes.length / PAGE / 2) * PAGE))
  closeSync(opened)
}
