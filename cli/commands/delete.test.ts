import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRsvps } from '#db/rsvp/delete.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { auditLines, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { inDatabase, inShell, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()
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
  it('deletes with --yes, each once, and says how many went, not with --quiet', async () => {
    const [one, two, three, four] = [await stored(), await stored(), await stored(), await stored()]
    const ended = { code: 0, signal: null, stdout: '', stderr: 'Deleted 2 responses.\n' }
    expect(await remove(one, two, one, '--yes')).toEqual(ended)
    expect(ids()).toEqual([three, four])
    expect(await remove('--yes', three)).toMatchObject({ stderr: 'Deleted 1 response.\n' })
    expect(await remove('--quiet', four, '--yes')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(ids('true')).toEqual([one, two, three, four])
  })

  it('deletes what it finds, says what it does not find, also with --quiet, and ends with 3', async () => {
    const [one, two] = [await stored(), await stored()]
    const missing = 'Not found: 900001, 900002. They may have been deleted already.\n'
    expect(await remove('900001', one, '900002', '--yes')).toMatchObject({
      ...{ code: 3, stdout: '', stderr: `Deleted 1 response.\n${missing}` },
    })
    expect(ids()).toEqual([two])
    const quiet = await remove('900001', two, '900002', '--yes', '--quiet', '--json')
    expect(quiet).toMatchObject({ code: 3, stderr: missing })
    expect(JSON.parse(quiet.stdout)).toEqual({ deleted: [Number(two)], notFound: [900_001, 900_002] })
  })

  it('refuses to delete unasked, and what is no id', async () => {
    const one = await stored()
    for (const words of [[one], [], ['--yes'], ['--json', one]]) {
      expect(await remove(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') })
    }
    for (const word of ['abc', '']) {
      const stderr = expect.stringContaining(JSON.stringify(word))
      expect(await remove('--yes', '--', one, word)).toMatchObject({ code: 2, stdout: '', stderr })
    }
    expect(ids()).toEqual([one])
  })
})

describe('rsvp delete on a terminal', () => {
  it('asks, also in 40 columns, and deletes after y or the number; nothing with --yes', async () => {
    const [one, two, three, four] = [await stored(), await stored(), await stored(), await stored()]
    const single = rsvpInTerminal(url, ['delete', one])
    await single.shows(/^Are you sure you want to delete this RSVP\? \(Ana Cole\) y\/N$/)
    single.press('y')
    expect(await single.ended).toBe(0)
    expect(single.screen()).toMatch(/\nDeleted 1 response\.$/)
    const several = rsvpInTerminal(url, ['delete', two, three, two], { columns: 40 })
    const question =
      /^Are you sure you want to delete 2\s+selected RSVPs\?\s+\(Ana Cole, Ana\s+Cole\)\s+Type 2, then enter: █$/
    await several.shows(question)
    // A paste decides nothing.
    several.press('\u001b[200~2\r\u001b[201~')
    several.press('y\r')
    await several.shows('Not that. Type 2:')
    several.press('2\r')
    expect(await several.ended).toBe(0)
    expect(ids()).toEqual([four])
    const unasked = rsvpInTerminal(url, ['delete', four, '--yes'])
    expect([await unasked.ended, unasked.screen()]).toEqual([0, 'Deleted 1 response.'])
  })

  it('shows the screen of the list where no id is given', async () => {
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

it('rsvp delete takes what rsvp list prints', async () => {
  for (const _ of [1, 2]) await stored()
  const line = 'rsvp list --week all | cut -f1 | xargs --no-run-if-empty rsvp delete --yes'
  const ended = { code: 0, signal: null, stdout: '', stderr: 'Deleted 2 responses.\n' }
  expect([await inShell(url, line), ids()]).toEqual([ended, []])
})

describe('rsvp delete --erase', () => {
  const email = 'bao@nguyen.example'
  const done = (responses: string) => `Erased ${responses} for good. Older backups may still hold them.\n`
  const question = `Erase 2 responses of ${email} for good? Only older backups hold them then. Type 2, then enter: █`

  it('erases what was sent with an address, the deleted included, and no other response', async () => {
    const other = await stored({ email: 'o.bao@nguyen.example' })
    const deleted = await stored({ email })
    await stored({ email: 'BAO@Nguyen.EXAMPLE' })
    await deleteRsvps({ ids: [Number(deleted)] }, testCall())
    const ended = await remove('--erase', ' Bao@nguyen.example ', '--yes')
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: done('2 responses') })
    const none = 'Nothing is stored under that address.\n'
    expect(await remove('--erase', email, '--yes', '--json')).toMatchObject({ code: 3, stdout: '', stderr: none })
    expect(ids('true')).toEqual([other])
    // How many it was, and not whose.
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

  it.each([
    { words: ['--erase', 'bao', '--yes'], code: 2, says: 'Invalid email address' },
    { words: ['--erase', email], code: 2, says: 'No terminal to confirm on: add --yes to continue.' },
    { words: [email, '--yes'], code: 2, says: 'is not an id' },
    { words: ['1', '--erase', email, '--yes'], code: 2, says: 'Give ids, or --erase, or --samples: one of them.' },
  ])('refuses $words with $code without erasing anything', async ({ words, code, says }) => {
    const id = await stored({ email })
    expect(await remove(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) })
    expect(ids()).toEqual([id])
  })

  it('asks in a terminal for the number', async () => {
    for (const _ of [1, 2]) await stored({ email })
    const terminal = rsvpInTerminal(url, ['delete', '--erase', email], { columns: 120 })
    expect(await terminal.shows('Type 2')).toBe(question)
    terminal.press('2\r')
    expect([await terminal.ended, ids('true')]).toEqual([0, []])
  })
})
