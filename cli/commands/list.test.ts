import { beforeAll, describe, expect, it } from 'vitest'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { harmful, hostile, inDatabase, obeyed, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpInTerminal } from '../terminal-fixtures.ts'

const { url } = testDatabase()

const family = [
  { name: 'Joel Cole', age: 'child' },
  { name: 'Dina Cole', attending: false },
]
const jose = { name: 'José Álvarez', email: 'jose@alvarez.example', phone: '555-0101', message: 'Sorry,\nwe are away' }
const responses: [now: string, fields: Record<string, unknown>][] = [
  ['2025-03-09T05:59:59.999Z', { familyMembers: family, volunteerRoles: [2, 3] }],
  ['2025-03-09T06:00:00.000Z', { ...jose, attending: false }],
  ['2025-03-10T04:59:59.999Z', { name: hostile, message: hostile, familyMembers: [{ name: hostile }] }],
  ['2025-03-10T05:00:00.000Z', { name: 'Bao Nguyen', email: 'bao@nguyen.example', calendarType: 'google' }],
]

beforeAll(async () => {
  for (const [now, fields] of responses) await createRsvp(testRsvp(fields), testCall({ now: new Date(now) }))
  // Forms refuse such an address and such a number, but another program may have stored them.
  inDatabase(url, (database) => database.prepare('UPDATE rsvps SET email = ?1, phone = ?1 WHERE id = 3').run(hostile))
})

describe('rsvp list in a pipe', () => {
  it('prints a line for each response, newest first, its cells in the order of the CSV', async () => {
    expect(await rsvp(url, ['list'])).toEqual({
      code: 0,
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
    expect(JSON.parse(stdout)).toEqual(responsesOf(await listRsvps({}, testCall())))
    expect(await rsvp(url, ['list', '--json', '--search', 'unknown'])).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(JSON.parse(stdout)[1]).toMatchObject({ name: hostile, email: hostile, phone: hostile, message: hostile })
  })

  it.each([
    { words: ['--status', 'not-attending'], ids: [2] },
    { words: ['--search', 'dina  usher'], ids: [1] },
    { words: ['--status', 'attending', '--search', 'example'], ids: [4, 1] },
  ])('takes $words', async ({ words, ids }) => {
    const { code, stdout, stderr } = await rsvp(url, ['list', ...words], { env: { TZ: 'America/Chicago' } })
    expect([code, stderr]).toEqual([0, ''])
    expect([...stdout.matchAll(/^\d+/gm)].map(([id]) => Number(id))).toEqual(ids)
  })
})

describe('rsvp list on a terminal', () => {
  it('shows a screen, and leaves the terminal as it was on quitting', async () => {
    const terminal = rsvpInTerminal(url, ['list'], { columns: 105 })
    const lines = (await terminal.shows('Attending 3, Not Attending 1')).split('\n').map((line) => line.trimEnd())
    expect(lines.slice(2, 7)).toEqual([
      expect.stringMatching(/^ {4}Id +Name +Status +Date +Family Members +Email$/),
      expect.stringMatching(/^› {3}4 +Bao Nguyen +✓ Attending +Mar 10, 2025 +- +bao@nguyen.example$/),
      expect.stringMatching(/^ {4}3 +Eve {2}Doe +✓ Attending +Mar 10, 2025 +Eve {2}Doe +Eve {2}Doe$/),
      expect.stringMatching(/^ {4}2 +José Álvarez +✗ Not Attending +Mar 9, 2025 +- +jose@alvarez.example$/),
      expect.stringMatching(/^ {4}1 +Ana Cole +✓ Attending +Mar 9, 2025 +Joel Cole.*… +ana@cole.example$/),
    ])
    expect(terminal.isFullScreen()).toBe(true)
    expect(harmful.filter((each) => terminal.raw().includes(each))).toEqual([])
    terminal.resize(40, 12)
    expect(await terminal.shows(/^ {4}Name +Status$/m)).toMatch(/^ {4}Eve {2}Doe +✓ Attending$/m)
    // The screen switches on bracketed paste, which marks pasted text, and switches it off at its end.
    expect(terminal.raw()).toContain('\u001b[?2004h')
    terminal.press('q')
    expect([await terminal.ended, terminal.isAsBefore()]).toEqual([0, true])
    expect(terminal.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(terminal.raw().lastIndexOf('\u001b[?2004h'))
  })
})
