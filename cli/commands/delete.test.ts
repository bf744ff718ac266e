import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { auditLines, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, inShell, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn, rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()
const email = 'bao@nguyen.example'
const remove = (...words: string[]) => rsvp(url, ['delete', ...words])

/** Stores a response and returns its id as it is typed. */
async function stored(changes: Record<string, unknown> = {}): Promise<string> {
  return String((await createRsvp(testRsvp(changes), testCall())).id)
}

/** The ids of all that is stored, or of what is not deleted. */
function ids(where = 'deleted_at IS NULL'): string[] {
  const query = `SELECT id FROM rsvps WHERE ${where} ORDER BY id`
  return inDatabase(url, (database) => database.prepare(query).all()).map(({ id }) => String(id))
}

beforeEach(() => inDatabase(url, (database) => database.exec('DELETE FROM rsvps')))

describe('rsvp delete without a terminal', () => {
  it('deletes with --yes, each once, and prints how many it deleted, unless --quiet is given', async () => {
    const [one, two, three, four] = [await stored(), await stored(), await stored(), await stored()]
    expect(await remove(one, two, one, '--yes')).toEqual({ code: 0, stdout: '', stderr: 'Deleted 2 responses.\n' })
    expect(await remove('--yes', three)).toMatchObject({ stderr: 'Deleted 1 response.\n' })
    expect(await remove('--quiet', four, '--yes')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect([ids(), ids('true')]).toEqual([[], [one, two, three, four]])
  })

  it('deletes what it finds, prints what it does not find, also with --quiet, and exits with 3', async () => {
    const [one, two] = [await stored(), await stored()]
    const missing = 'Not found: 900001, 900002. They may have been deleted already.\n'
    const stderr = `Deleted 1 response.\n${missing}`
    expect(await remove('900001', one, '900002', '--yes')).toEqual({ code: 3, stdout: '', stderr })
    const quiet = await remove('900001', two, '900002', '--yes', '--quiet', '--json')
    expect(quiet).toMatchObject({ code: 3, stderr: missing })
    expect(JSON.parse(quiet.stdout)).toEqual({ deleted: [Number(two)], notFound: [900_001, 900_002] })
  })

  it('deletes the responses that rsvp list prints', async () => {
    for (const _ of [1, 2]) await stored()
    const line = 'rsvp list --week all | cut -f1 | xargs --no-run-if-empty rsvp delete --yes'
    expect(await inShell(url, line)).toEqual({ code: 0, stdout: '', stderr: 'Deleted 2 responses.\n' })
    expect(ids()).toEqual([])
  })

  it.each([
    [['1'], '--yes'],
    [[], '--yes'],
    [['--yes'], '--yes'],
    [['--json', '1'], '--yes'],
    [['--yes', '--', '1', 'abc'], '"abc" is not an id'],
    [['--yes', '--', '1', ''], '"" is not an id'],
    [['--erase', 'bao', '--yes'], 'Invalid email address'],
    [['--erase', email], 'No terminal to confirm on: add --yes to continue.'],
    [['1', '--erase', email, '--yes'], 'Give ids, or --erase, or --samples: one of them.'],
  ])('refuses %j', async (words, sentence) => {
    const id = await stored({ email })
    const given = words.map((word) => (word === '1' ? id : word))
    expect(await remove(...given)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(ids()).toEqual([id])
  })
})

describe('rsvp delete on a terminal', () => {
  it('asks for y, and prints how many it deleted', async () => {
    const terminal = rsvpInTerminal(url, ['delete', await stored()])
    await terminal.shows(/^Are you sure you want to delete this RSVP\? \(Ana Cole\) y\/N$/)
    terminal.press('y')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/\nDeleted 1 response\.$/)
    expect(ids()).toEqual([])
  })

  it('asks for the number of several, also in 40 columns, and takes no paste for an answer', async () => {
    const [one, two] = [await stored(), await stored()]
    const terminal = rsvpInTerminal(url, ['delete', one, two, one], { columns: 40 })
    await terminal.shows(
      /^Are you sure you want to delete 2\s+selected RSVPs\?\s+\(Ana Cole, Ana\s+Cole\)\s+Type 2, then enter: █$/,
    )
    terminal.press('\u001b[200~2\r\u001b[201~')
    terminal.press('y\r')
    await terminal.shows('Not that. Type 2:')
    terminal.press('2\r')
    expect([await terminal.ended, ids()]).toEqual([0, []])
  })

  it('does not ask with --yes', async () => {
    const terminal = await rsvpDrawn(url, ['delete', await stored(), '--yes'])
    expect([terminal.screen(), ids()]).toEqual(['Deleted 1 response.', []])
  })

  it('shows the screen of rsvp list where no id is given', async () => {
    const one = await stored()
    const terminal = rsvpInTerminal(url, ['delete'])
    await terminal.shows(/^RSVP Responses +Attending 1, Not Attending 0\n/)
    terminal.press('d')
    await terminal.shows('y/N')
    terminal.press('y')
    await terminal.shows('Deleted 1 response.')
    terminal.press('q')
    expect([await terminal.ended, terminal.isFullScreen(), ids(), ids('true')]).toEqual([0, false, [], [one]])
  })
})

describe('rsvp delete --erase', () => {
  it('erases what was sent with an address, the deleted included, and no other response', async () => {
    const other = await stored({ email: 'o.bao@nguyen.example' })
    const deleted = await stored({ email })
    await stored({ email: 'BAO@Nguyen.EXAMPLE' })
    await deleteRsvps({ ids: [Number(deleted)] }, testCall())
    const ended = await remove('--erase', ' Bao@nguyen.example ', '--yes')
    expect(ended).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Erased 2 responses for good. Older backups may still hold them.\n',
    })
    const none = 'Nothing is stored under that address.\n'
    expect(await remove('--erase', email, '--yes', '--json')).toMatchObject({ code: 3, stdout: '', stderr: none })
    expect(ids('true')).toEqual([other])
    // The audit has the number of responses, but not the address.
    expect((await auditLines()).at(-1)).toBe('terminal: responses erased 2')
  })

  it('leaves nothing of it in the file where its pages were divided, because others on them were deleted', async () => {
    inDatabase(url, (database) =>
      database.exec(`PRAGMA secure_delete = ON;
        INSERT INTO rsvps (key, name, email, message, attending, add_to_calendar, created_at, service_date)
        WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < 2000)
        SELECT 'key ' || id, iif(id % 17, 'Ana Cole', 'Quincy Canary'), iif(id % 17, 'ana@cole.example', '${email}'),
          substr('We look forward to it, all of us together, and bring a cake.', 1, id % 60), 1, 0,
          '2025-01-05T14:00:00.000Z', '2025-01-11' FROM visitor`),
    )
    const odd = ids('id % 2 = 1 OR id % 5 = 0').map(Number)
    for (let some = odd; some.length > 0; some = some.slice(200)) {
      await deleteRsvps({ ids: some.slice(0, 200) }, testCall())
    }
    expect((await remove('--erase', email, '--yes')).code).toBe(0)
    expect(readFileSync(url.slice('file:'.length), 'latin1').includes('Quincy Canary')).toBe(false)
  })

  it('asks in a terminal for the number', async () => {
    for (const _ of [1, 2]) await stored({ email })
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email], { columns: 120 })
    expect(await terminal.shows('Type 2')).toBe(
      `Erase 2 responses of ${email} for good? Only older backups hold them then. Type 2, then enter: █`,
    )
    terminal.press('2\r')
    expect([await terminal.ended, ids('true')]).toEqual([0, []])
  })
})
