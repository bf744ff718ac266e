import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, spawnServer } from '#site/scenarios/fixtures.ts'
import { canary, siteOn, testPlace } from './fixtures.ts'

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

/** Of a page: what it is, how many rows it has, where they begin. */
const HEAD = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]

/** What is done to a file, by what it damages. */
const damages: [string, (file: string) => void][] = [
  ['one bit of where a response lies', (file) => flip(file, middleOf(file, 'rsvps') + 8, [0x08])],
  ['one bit in the middle of an index', (file) => flip(file, readFileSync(file).lastIndexOf('key 75') + 5, [0x01])],
  ['the list of the tables', (file) => flip(file, 100, HEAD)],
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
