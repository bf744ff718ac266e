import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBuiltServer } from '../scripts/testing/built-server.mjs'
import { startVisitors } from './clients.ts'
import { examine } from './examine.ts'
import { Ledger } from './ledger.ts'
import { newSeed, Random } from './random.ts'
import { copyDatabase } from './stored.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-examine-'))
const original = join(folder, 'rsvp.db')
const ledger = new Ledger()
let copy = ''

beforeAll(async () => {
  const site = await startBuiltServer({ DATABASE_URL: `file:${original}` })
  const visitors = startVisitors(site.url, ledger, new Random(newSeed()))
  await vi.waitFor(() => expect(ledger.acknowledged).toBeGreaterThan(20))
  await visitors.stop()
  await site.stop()
})
beforeEach(() => {
  const place = mkdtempSync(join(folder, 'copy-'))
  copyDatabase(original, place)
  copy = join(place, 'rsvp.db')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function change(sql: string): void {
  const database = new DatabaseSync(copy)
  database.exec(sql)
  database.close()
}

async function kindsOf(file: string, known = ledger.snapshot()): Promise<string[]> {
  return Array.from(new Set((await examine(file, known)).map(({ kind }) => kind)))
}

describe('a database that is examined', () => {
  it('is right as the site has left it', async () => {
    expect(ledger.findings).toEqual([])
    expect(await examine(copy, ledger.snapshot())).toEqual([])
  })

  it.each([
    ['a lost row', 'lost', 'DELETE FROM rsvps WHERE id = (SELECT max(id) FROM rsvps)'],
    ['a half-written RSVP', 'half-written', 'DELETE FROM family_members'],
    ['a row that no client sent', 'foreign', "UPDATE rsvps SET email = 'eve@visitor.example' WHERE id = 1"],
    ['a row that the command does not show', 'lost', "UPDATE rsvps SET deleted_at = '2025-01-05' WHERE id = 1"],
  ])('is found with %s', async (_what, kind, sql) => {
    change(sql)
    expect(await kindsOf(copy)).toContain(kind)
  })

  it('has lost everything where it is no database, or not there', async () => {
    writeFileSync(copy, 'no database')
    expect(await kindsOf(copy)).toEqual(['damaged', 'lost'])
    expect(await kindsOf(join(folder, 'missing.db'))).toEqual(['lost'])
    expect(await kindsOf(join(folder, 'missing.db'), new Ledger())).toEqual([])
  })
})
