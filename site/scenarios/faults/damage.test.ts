import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { changeFile, createDatabaseFile } from '#db/fixtures.ts'
import { expectNothingRevealed, spawnServer } from '#site/scenarios/fixtures.ts'
import { testPlace } from './fixtures.ts'

/** A database file with 150 families. */
async function filledFile(): Promise<string> {
  const file = join(testPlace(), 'rsvp.db')
  await createDatabaseFile(file)
  changeFile(
    file,
    `WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < 150)
    INSERT INTO rsvps (id, key, name, email, message, attending, add_to_calendar, created_at, service_date)
      SELECT id, 'key ' || id || ' ' || hex(zeroblob(20)), 'Visitor ' || id, 'canary@b.example', hex(zeroblob(150)), 1, 0,
        '2025-01-05T14:00:00.000Z', '2025-01-11'
      FROM visitor;
    INSERT INTO family_members SELECT rsvps.id, number.value, name || ' Junior', 'child', 1
      FROM rsvps, json_each('[0,1,2,3,4]') AS number`,
  )
  return file
}

/** Where a page in the middle of a table begins. */
function middleOf(file: string, table: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const pages = database.prepare("SELECT pgoffset FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
  const offsets = pages.all(table).map(({ pgoffset }) => Number(pgoffset))
  database.close()
  expect(offsets.length).toBeGreaterThan(1)
  return offsets[Math.floor(offsets.length / 2)] ?? 0
}

/** Turns bits in place, as a bad disk does. */
function flip(file: string, at: number, bits: number[]): void {
  const bytes = readFileSync(file)
  for (const [position, bit] of bits.entries()) bytes[at + position] = (bytes[at + position] ?? 0) ^ bit
  writeFileSync(file, bytes)
}

/** What is done to a file, by what it damages. */
const damages: [string, (file: string) => void][] = [
  ['one bit of where a response lies', (file) => flip(file, middleOf(file, 'rsvps') + 8, [0x08])],
  ['one bit in the middle of an index', (file) => flip(file, readFileSync(file).lastIndexOf('key 75') + 5, [0x01])],
  ['the list of the tables', (file) => flip(file, 100, Array(8).fill(0xff))],
]

describe('the start on a damaged file', () => {
  it.each(damages)('ends with the command that brings back a copy: %s', async (_, damage) => {
    const file = await filledFile()
    damage(file)
    const bytes = readFileSync(file)
    const { child, ended, printed } = spawnServer({ PORT: '0', DATABASE_URL: `file:${file}`, LOG_LEVEL: 'trace' })
    // It must end by itself.
    child.stdout?.once('data', () => child.kill('SIGKILL'))
    expect([await ended, printed.stdout]).toEqual([{ code: 78 }, ''])
    expect(printed.stderr).toMatch(/^[^\n]+\n$/)
    expect(printed.stderr).toContain(file)
    expect(printed.stderr).toContain('npx rsvp backup restore FILE')
    expect(printed.stderr).not.toMatch(/canary|Visitor/i)
    expectNothingRevealed(printed.stderr)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })
})
