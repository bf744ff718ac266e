import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import {
  hostile,
  inDatabase,
  makeDatabase,
  obeyed,
  rsvp,
  rsvpInTerminal,
  start,
  testDatabase,
  testFolder,
  testResponses,
} from '../fixtures.ts'

const { url } = testDatabase()
const empty = testFolder()
const few = testResponses(30)
const many = testResponses(20_000)

const responses = [
  {
    now: '2025-03-09T05:59:59.999Z',
    familyMembers: [
      { name: 'Joel Cole', age: 'child' },
      { name: 'Dina Cole', attending: false },
    ],
    volunteerRoles: [2, 3],
  },
  {
    now: '2025-03-09T06:00:00.000Z',
    name: 'José Álvarez',
    email: 'jose@alvarez.example',
    attending: false,
    phone: '555-0101',
    message: 'Sorry,\nwe are away',
  },
  { now: '2025-03-10T04:59:59.999Z', name: hostile, message: hostile, familyMembers: [{ name: hostile }] },
  { now: '2025-03-10T05:00:00.000Z', name: 'Bao Nguyen', email: 'bao@nguyen.example', calendarType: 'google' },
]

beforeAll(async () => {
  await makeDatabase(empty.url)
  for (const { now, ...fields } of responses) await createRsvp(testRsvp(fields), testCall({ now: new Date(now) }))
  // No form takes such an address and such a number, but they may have been stored in another way.
  inDatabase(url, (database) => database.prepare('UPDATE rsvps SET email = ?1, phone = ?1 WHERE id = 3').run(hostile))
})

describe('rsvp list in a pipe', () => {
  it('prints a line for each response, newest first, its cells in the order of the CSV', async () => {
    expect(await rsvp(url, ['list'])).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        '4\tBao Nguyen\tbao@nguyen.example\t\t\tAttending\t\t\tGoogle Calendar\t2025-03-10T05:00:00.000Z\t2025-03-15\t\n',
        '3\tEve  Doe\tEve  Doe\tEve  Doe\tEve  Doe\tAttending\tEve  Doe\t\t\t2025-03-10T04:59:59.999Z\t2025-03-15\t\n',
        '2\tJosé Álvarez\tjose@alvarez.example\t555-0101\tSorry, we are away\tNot Attending\t\t\t\t2025-03-09T06:00:00.000Z\t2025-03-15\t\n',
        '1\tAna Cole\tana@cole.example\t\t\tAttending\tJoel Cole (child); Dina Cole (not attending)\tUsher; Music\t\t2025-03-09T05:59:59.999Z\t2025-03-15\t\n',
      ].join(''),
    })
  })

  it('prints as JSON exactly what is stored, and nothing that a terminal would obey', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['list', '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.replaceAll('\n', '')).not.toMatch(obeyed)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(String((await listRsvps({}, testCall())).json)))
    expect(JSON.parse(stdout)[1]).toMatchObject({ name: hostile, email: hostile, phone: hostile, message: hostile })
  })

  it('prints nothing where there are no responses, and [] as JSON', async () => {
    expect(await rsvp(empty.url, ['list'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await rsvp(empty.url, ['list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
    expect(await rsvp(url, ['list', '--json', '--search', 'unknown'])).toMatchObject({ code: 0, stdout: '[]\n' })
  })

  it.each([
    { words: ['--status', 'attending'], ids: [4, 3, 1] },
    { words: ['--status', 'not-attending'], ids: [2] },
    { words: ['--search', 'JOSE alvárez'], ids: [2] },
    { words: ['--search', 'away 555-0101'], ids: [2] },
    { words: ['--search', 'dina  usher'], ids: [1] },
    { words: ['--search', 'cole nguyen'], ids: [] },
    { words: ['--search', ' '], ids: [4, 3, 2, 1] },
    { words: ['--limit', '2'], ids: [4, 3] },
    { words: ['--limit', '4'], ids: [4, 3, 2, 1] },
    { words: ['--limit', '1', '--search', 'cole.example'], ids: [1] },
    { words: ['--status', 'attending', '--search', 'example', '--limit', '9'], ids: [4, 1] },
    { words: ['--since', '2025-03-09'], ids: [4, 3, 2], why: 'the day begins at 6:00 in UTC' },
    { words: ['--since', '2025-03-10'], ids: [4], why: 'after the clocks went forward it begins at 5:00' },
    { words: ['--since', '2025-03-11'], ids: [] },
    { words: ['--since', '2025-03-09', '--status', 'attending', '--limit', '1'], ids: [4] },
  ])('takes $words', async ({ words, ids }) => {
    const { code, stdout, stderr } = await rsvp(url, ['list', ...words], { env: { TZ: 'America/Chicago' } })
    expect([code, stderr]).toEqual([0, ''])
    expect([...stdout.matchAll(/^\d+/gm)].map(([id]) => Number(id))).toEqual(ids)
  })

  it.concurrent.each([
    ['--since', '2025-02-30'],
    ['--since', 'yesterday'],
    ['--since', ''],
    ['--status', 'maybe'],
    ['--limit', '0'],
    ['--limit', '1e3'],
    ['--limit', '-1'],
    ['--limit'],
  ])('refuses %s %s', async (...words) => {
    const { code, stdout, stderr } = await rsvp(url, ['list', ...words])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words[0])
  })

  it('keeps to --status and --limit from page to page', async () => {
    const { stdout } = await rsvp(many.url, ['list', '--status', 'not-attending', '--limit', '450'])
    const ids = [...stdout.matchAll(/^\d+/gm)].map(([id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 450 }, (_, position) => 20_000 - 2 * position))
  })

  it('prints page by page: what is deleted before its page is read does not come any more', async () => {
    const { child, ended } = start(many.url, ['list'])
    await once(child.stdout, 'data')
    child.stdout.pause()
    inDatabase(many.url, (database) => database.exec('DELETE FROM rsvps WHERE id <= 100'))
    child.stdout.resume()
    const { code, stdout } = await ended
    const ids = [...stdout.matchAll(/^\d+/gm)].map(([id]) => Number(id))
    expect(code).toBe(0)
    expect(ids).toEqual(Array.from({ length: 19_900 }, (_, position) => 20_000 - position))
  })
})

describe('rsvp list on a terminal', () => {
  const whole = /Attending 3, Not Attending 1 {2}by newest/

  it('shows a screen, and leaves the terminal as it was on quitting', async () => {
    const terminal = rsvpInTerminal(url, ['list'], { columns: 105 })
    const lines = (await terminal.shows(whole)).split('\n').map((line) => line.trimEnd())
    expect(lines.slice(2, 7)).toEqual([
      expect.stringMatching(/^ {4}Id +Name +Status +Date +Family Members +Email$/),
      expect.stringMatching(/^› {3}4 +Bao Nguyen +✓ Attending +Mar 10, 2025 +- +bao@nguyen.example$/),
      expect.stringMatching(/^ {4}3 +Eve {2}Doe +✓ Attending +Mar 10, 2025 +Eve {2}Doe +Eve {2}Doe$/),
      expect.stringMatching(/^ {4}2 +José Álvarez +✗ Not Attending +Mar 9, 2025 +- +jose@alvarez.example$/),
      expect.stringMatching(/^ {4}1 +Ana Cole +✓ Attending +Mar 9, 2025 +Joel Cole.*… +ana@cole.example$/),
    ])
    expect(terminal.isFullScreen()).toBe(true)
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
    expect(terminal.isAsBefore()).toBe(true)
  })

  it('searches with /, which escape clears', async () => {
    const terminal = rsvpInTerminal(url, ['list'])
    await terminal.shows(whole)
    terminal.press('/')
    await terminal.shows('Search: █')
    terminal.press('álvarez jose')
    expect(await terminal.shows('Attending 0, Not Attending 1')).toContain('José Álvarez')
    expect(terminal.screen()).not.toContain('Bao Nguyen')
    terminal.press('\r')
    await terminal.shows('searching for: álvarez jose')
    terminal.press('/')
    await terminal.shows('Search: álvarez jose█')
    terminal.press(' zebra')
    await terminal.shows('No response holds these words.')
    terminal.press('\u001b')
    expect(await terminal.shows(whole)).toContain('Bao Nguyen')
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
  })

  it('sorts with s', async () => {
    const terminal = rsvpInTerminal(url, ['list'])
    await terminal.shows(whole)
    const names = () => [...terminal.screen().matchAll(/^[› ] {3}\d +(\p{L}+).*Attending/gmu)].map(([, name]) => name)
    expect(names()).toEqual(['Bao', 'Eve', 'José', 'Ana'])
    const orders = { oldest: 'Ana José Eve Bao', name: 'Ana Bao Eve José', status: 'Bao Eve Ana José' }
    for (const [order, expected] of Object.entries(orders)) {
      terminal.press('s')
      await terminal.shows(`by ${order}`)
      expect(names().join(' ')).toBe(expected)
    }
    terminal.press('s')
    await terminal.shows('by newest')
  })

  it('opens a response with enter and goes back with escape', async () => {
    const terminal = rsvpInTerminal(url, ['list'])
    await terminal.shows(whole)
    terminal.press('\u001b[B\u001b[B')
    await terminal.shows(/^› +2 +José/m)
    terminal.press('\r')
    expect(await terminal.shows('esc back')).toMatch(/Message +Sorry,\n +we are away/)
    expect(terminal.screen()).toMatch(/Phone +555-0101/)
    expect(terminal.screen()).not.toContain('Bao Nguyen')
    terminal.press('\u001b')
    expect(await terminal.shows('q quit')).toMatch(/^› +2 +José/m)
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
  })

  it('shows nothing that the terminal would obey, in the table and in a response', async () => {
    const terminal = rsvpInTerminal(url, ['list', '--search', 'doe'], { columns: 250 })
    expect(await terminal.shows('Attending 1, Not Attending 0')).toMatch(/Eve {2}Doe.*Eve {2}Doe.*Eve {2}Doe/)
    terminal.press('\r')
    expect(await terminal.shows('esc back')).toMatch(/Name +Eve\n +Doe\n(.*\n)+Message +Eve\n +Doe/)
    terminal.press('q')
    for (const harmful of ['\u001b]0;', '\u0007', '\u001b[5m', '\u009b', '\u2028', '\u202e', '\u2066']) {
      expect(terminal.raw()).not.toContain(harmful)
    }
  })

  it('fits into 40 columns, and into more once the terminal grows', async () => {
    const terminal = rsvpInTerminal(url, ['list'], { columns: 40, rows: 12 })
    const narrow = await terminal.shows(/^ {4}Ana Cole +✓ Attending$/m)
    expect(narrow).toMatch(/^ {4}Name +Status$/m)
    expect(narrow).toMatch(/^ {4}José Álvarez +✗ Not Attending$/m)
    terminal.resize(100, 24)
    expect(await terminal.shows(/^ {4}Id +Name +Status +Date +Family Members +Email$/m)).toContain('q quit')
    terminal.resize(40, 12)
    await terminal.shows(/^ {4}Name +Status$/m)
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
  })

  it('deletes what is selected after a question, and goes on', async () => {
    const terminal = rsvpInTerminal(few.url, ['list'])
    await terminal.shows(/^› +30 +Visitor 30/m)
    terminal.press(' ')
    await terminal.shows(/^› ● 30 +Visitor 30/m)
    terminal.press('d')
    await terminal.shows(/^Are you sure you want to delete this RSVP\? \(Visitor 30\)\ny\/N$/m)
    terminal.press('n')
    await terminal.shows(/^1 of 30, 1 selected$/m)
    terminal.press('d')
    await terminal.shows('y/N')
    terminal.press('y')
    const after = await terminal.shows(/^Deleted 1 response\. Press u to bring it back\.$/m)
    expect(after).toMatch(/^› +29 +Visitor 29/m)
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
    expect((await rsvp(few.url, ['list', '--limit', '1'])).stdout).toMatch(/^29\t/)
  })

  it('shows the whole question in 40 columns', async () => {
    const terminal = rsvpInTerminal(few.url, ['list'], { columns: 40, rows: 12 })
    await terminal.shows(/^› +Visitor/m)
    terminal.press('d')
    await terminal.shows(/Are you sure you want to\s+delete this\s+RSVP\?/)
  })

  it('obeys keys that arrive together, as over a slow line', async () => {
    const terminal = rsvpInTerminal(few.url, ['list'])
    await terminal.shows(/^› +\d+ +Visitor/m)
    terminal.press('G')
    await terminal.shows(/^› +1 +Visitor 1 /m)
    terminal.press('kk')
    await terminal.shows(/^› +3 +Visitor 3 /m)
  })

  it('ends with Ctrl+C also when another key was pressed just before', async () => {
    const terminal = rsvpInTerminal(few.url, ['list'])
    await terminal.shows(/^› +\d+ +Visitor/m)
    terminal.press('j\u0003')
    expect(await terminal.ended).toBe(130)
  })

  it('says that there are no responses yet', async () => {
    const terminal = rsvpInTerminal(empty.url, ['list'])
    await terminal.shows('No responses yet. `rsvp share` shows the link for visitors.')
    terminal.press('q')
    expect(await terminal.ended).toBe(0)
  })

  it('prints a table on a terminal that can draw nothing', async () => {
    const terminal = rsvpInTerminal(url, ['list', '--limit', '1'], { columns: 120, env: { TERM: 'dumb' } })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^4\s+Bao Nguyen\s+✓ Attending/m)
    expect(terminal.raw()).not.toContain('\u001b')
  })

  it('prints JSON without a screen when it is asked for', async () => {
    const terminal = rsvpInTerminal(url, ['list', '--json', '--limit', '1'], { columns: 500 })
    expect(await terminal.ended).toBe(0)
    expect(JSON.parse(terminal.screen())).toMatchObject([{ id: 4, name: 'Bao Nguyen' }])
    expect(terminal.raw()).not.toContain('\u001b')
  })
})
