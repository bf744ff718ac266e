import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { listAudit } from '#db/audit/operations.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'

import { inDatabase, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const email = 'bao@nguyen.example'
const done = (responses: string) => `Erased ${responses} for good. Older backups may still hold them.\n`

async function stored(changes: Record<string, unknown> = {}): Promise<number> {
  return (await createRsvp(testRsvp({ email, name: 'Bao Nguyen', ...changes }), testCall())).id
}

/** The ids of all that is stored, the deleted ones included. */
function ids(): unknown[] {
  return inDatabase(url, (database) => database.prepare('SELECT id FROM rsvps ORDER BY id').all()).map(({ id }) => id)
}

const erase = (...words: string[]) => rsvp(url, ['delete', ...words])

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp delete --erase', () => {
  it('erases all that was sent with an address however it is written, the deleted included, and no other response', async () => {
    const other = await stored({ email: 'o.bao@nguyen.example' })
    const [, , deleted] = [await stored(), await stored({ email: 'BAO@Nguyen.EXAMPLE' }), await stored()]
    await deleteRsvps({ ids: [deleted] }, testCall())
    const ended = await erase('--erase', ' Bao@nguyen.example ', '--yes')
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: done('3 responses') })
    expect(ids()).toEqual([other])
    expect(await rsvp(url, ['restore', String(deleted)])).toMatchObject({ code: 3 })
  })

  it.each(['bao_nguyen.example@nguyen.example', '%@nguyen.example', 'b_o@nguyen.example'])(
    'takes %s for that address and no other',
    async (address) => {
      const id = await stored()
      expect(await erase('--erase', address, '--yes')).toMatchObject({ code: expect.toBeOneOf([2, 3]) })
      expect(ids()).toEqual([id])
    },
  )

  it('leaves nothing of it in the bytes of the file, nor beside it', async () => {
    const texts = ['Quentin Canary', 'quentin@canary.example', '555-CANARY', 'Pray for Canary', 'Canary Junior']
    const [name, address, phone, message, member] = texts
    const bytes = () => ['', '-journal'].map((end) => readFileSync(url.slice('file:'.length) + end, 'latin1')).join()
    const all = { name, email: address, phone, message, familyMembers: [{ name: member }], volunteerRoles: [1] }
    const ids = [await stored(all), await stored(), await stored(all)]
    await deleteRsvps({ ids: ids.slice(0, 1) }, testCall())
    expect(texts.filter((text) => !bytes().includes(text))).toEqual([])
    expect(await erase('--erase', String(address), '--yes')).toMatchObject({ code: 0, stderr: done('2 responses') })
    expect(bytes()).not.toMatch(/canary/i)
  })

  it('leaves nothing of it either where its pages were divided, because others on them were deleted', async () => {
    inDatabase(url, (database) =>
      database.exec(`PRAGMA secure_delete = ON;
        INSERT INTO rsvps (key, name, email, message, attending, add_to_calendar, created_at)
        WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < 2000)
        SELECT 'key ' || id, iif(id % 17, 'Ana Cole', 'Quincy Canary'), iif(id % 17, 'ana@cole.example', '${email}'),
          substr('We look forward to it, all of us together, and bring a cake.', 1, id % 60), 1, 0,
          '2025-01-05T14:00:00.000Z' FROM visitor`),
    )
    const odd = ids()
      .map(Number)
      .filter((id) => id % 2 === 1 || id % 5 === 0)
    for (let some = odd; some.length > 0; some = some.slice(200)) {
      await deleteRsvps({ ids: some.slice(0, 200) }, testCall())
    }
    expect((await erase('--erase', email, '--yes')).code).toBe(0)
    expect(readFileSync(url.slice('file:'.length), 'latin1').includes('Quincy Canary')).toBe(false)
  })

  it('says with --json how many it was, and nothing with --quiet', async () => {
    await stored()
    await stored()
    const json = await erase('--erase', email, '--yes', '--json')
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([0, { erased: 2 }, ''])
    await stored()
    expect(await erase('--erase', email, '--yes', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    await stored()
    expect(await erase('--erase', email, '--yes')).toMatchObject({ code: 0, stderr: done('1 response') })
  })

  it('ends with 3 where nothing is stored under an address, and does not repeat it', async () => {
    const id = await stored()
    for (const more of [[], ['--yes'], ['--yes', '--json'], ['--quiet']]) {
      const stderr = 'Nothing is stored under that address.\n'
      expect(await erase('--erase', 'unknown@else.example', ...more)).toMatchObject({ code: 3, stdout: '', stderr })
    }
    expect(ids()).toEqual([id])
  })

  it.each([
    { words: [], says: 'Say which responses to delete, e.g. `rsvp delete 12 --yes`.' },
    { words: ['--erase'], says: "error: option '--erase <address>' argument missing" },
    { words: ['--erase', ''], says: "error: option '--erase <address>' argument '' is invalid. It is empty." },
    { words: ['--erase', 'bao', '--yes'], says: 'Invalid email address' },
    { words: ['--erase', email], says: 'No terminal to confirm on: add --yes to go on.' },
    { words: [email, '--yes'], says: 'is not an id' },
    { words: ['1', '--erase', email, '--yes'], says: 'Give ids, or --erase, or --samples: one of them.' },
  ])('refuses $words without erasing anything', async ({ words, says }) => {
    const id = await stored()
    const { code, stdout, stderr } = await erase(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.split('\n')[0]).toContain(says)
    expect(stderr).toContain('see rsvp delete --help')
    expect(ids()).toEqual([id])
  })

  it('is written down with how many it was, and not whose', async () => {
    await stored()
    await erase('--erase', email, '--yes')
    const entry = { actor: 'terminal', action: 'responses erased', subject: '1' }
    expect((await listAudit({ limit: 1 }, testCall()))[0]).toMatchObject(entry)
  })
})

describe('rsvp delete --erase in a terminal', () => {
  const question = `Erase 2 responses of ${email} for good? Only older backups hold them then. Type 2, then enter: █`

  it('asks, and erases once the number is typed', async () => {
    await stored()
    await stored()
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email], { columns: 120 })
    expect(await terminal.shows('Type 2')).toBe(question)
    terminal.press('2\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain(done('2 responses').trimEnd())
    expect(ids()).toEqual([])
  })

  it('asks for a yes before a single one', async () => {
    await stored()
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email])
    await terminal.shows('y/N')
    terminal.press('y')
    expect([await terminal.ended, ids()]).toEqual([0, []])
  })

  it.each([
    { input: 'escape', keys: '\u001b', code: 1, says: '\nNothing was changed.' },
    { input: 'enter', keys: '\r', code: 1, says: '\nNothing was changed.' },
    { input: 'Ctrl+C', keys: '\u0003', code: 130, says: '' },
  ])('erases nothing after $input', async ({ keys, code, says }) => {
    const both = [await stored(), await stored()]
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email, '--json'], { columns: 120 })
    await terminal.shows('Type 2')
    terminal.press(keys)
    expect([await terminal.ended, terminal.screen()]).toEqual([code, `${question}${says}`])
    expect(ids()).toEqual(both)
  })

  it('asks nothing with --yes', async () => {
    await stored()
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email, '--yes'])
    expect([await terminal.ended, terminal.screen()]).toEqual([0, done('1 response').trimEnd()])
  })
})

describe('rsvp export --email', () => {
  it('exports all that was sent with an address, the deleted ones included, and no other response', async () => {
    await stored({ email: 'o.bao@nguyen.example' })
    const [one, two] = [await stored(), await stored({ email: 'BAO@Nguyen.EXAMPLE', message: 'Again' })]
    await deleteRsvps({ ids: [one] }, testCall())
    const words = ['export', '--email', 'bao@NGUYEN.example', '--out', '-']
    const csv = await rsvp(url, words)
    expect([csv.code, csv.stderr, csv.stdout.match(/^\d+(?=,)/gm)]).toEqual([0, '', [String(two), String(one)]])
    const json = await rsvp(url, [...words, '--json'])
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({ id: two, message: 'Again', deletedAt: null }),
      expect.objectContaining({ id: one, deletedAt: testCall().now.toISOString() }),
    ])
  })

  it('is otherwise without the deleted ones', async () => {
    const [one, two] = [await stored(), await stored()]
    await deleteRsvps({ ids: [one] }, testCall())
    const { stdout } = await rsvp(url, ['export', '--out', '-'])
    expect(stdout.match(/^\d+(?=,)/gm)).toEqual([String(two)])
  })

  it('ends with 3 where nothing is stored under an address, and writes no file', async () => {
    const out = join(folder, 'unknown.csv')
    for (const words of [
      ['--out', out],
      ['--out', '-'],
      ['--out', join(folder, 'unknown.json'), '--json'],
    ]) {
      const ended = await rsvp(url, ['export', '--email', 'unknown@else.example', ...words])
      expect(ended).toMatchObject({ code: 3, stdout: '', stderr: 'Nothing is stored under that address.\n' })
    }
    expect(existsSync(out)).toBe(false)
  })

  it('refuses what is not an email address', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['export', '--email', 'bao', '--out', '-'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^--email is not an email address\. Give one, e\.g\. ana@example\.org\.\nsee rsvp export --help\n$/,
    )
  })
})
