import { beforeAll, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { hostile, inDatabase, obeyed, rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

beforeAll(async () => {
  const everything = {
    phone: '555-0101',
    message: 'Looking forward to it!\nIs there parking for a van that is a little longer than usual?',
    familyMembers: [
      { name: 'Joel Cole', age: 'child' },
      { name: 'Dina Cole', attending: false },
    ],
    volunteerRoles: [2, 3],
    calendarType: 'ical',
  }
  const responses = [
    everything,
    { attending: false },
    { name: hostile, message: hostile, familyMembers: [{ name: hostile }] },
  ]
  for (const response of responses) await createRsvp(testRsvp(response), testCall())
  inDatabase(url, (database) => database.prepare('UPDATE rsvps SET email = ?1, phone = ?1 WHERE id = 3').run(hostile))
})

describe('rsvp show in a pipe', () => {
  it('prints a label and a text on each line, with days in the church’s zone', async () => {
    expect(await rsvp(url, ['show', '1'], { env: { TZ: 'America/Chicago' } })).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        'Id\t1\n',
        'Name\tAna Cole\n',
        'Status\tAttending\n',
        'Email\tana@cole.example\n',
        'Phone\t555-0101\n',
        'Family Members\tJoel Cole (child); Dina Cole (not attending)\n',
        'Volunteer Roles\tUsher; Music\n',
        'Calendar\tiCal\n',
        'Service\t2025-01-11\n',
        'Date\tJan 5, 2025, 8:00 AM\n',
        'Message\tLooking forward to it! Is there parking for a van that is a little longer than usual?\n',
      ].join(''),
    })
  })

  it('leaves out what was not said', async () => {
    const { stdout } = await rsvp(url, ['show', '2', '--quiet'])
    expect(stdout.match(/^[^\t]+/gm)).toEqual(['Id', 'Name', 'Status', 'Email', 'Service', 'Date'])
    expect(stdout).toContain('Status\tNot Attending\n')
  })

  it.each(['1', '2', '3'])('prints response %s as JSON exactly as it is stored', async (id) => {
    const { code, stdout, stderr } = await rsvp(url, ['show', id, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toMatch(obeyed)
    expect(JSON.parse(stdout)).toEqual(await getRsvp({ id }, testCall()))
  })

  it('prints nothing that a terminal would obey', async () => {
    const { stdout } = await rsvp(url, ['show', '3'])
    expect(stdout.replaceAll('\t', '')).not.toMatch(obeyed)
    expect(stdout).toMatch(/^Name\tEve +Doe\n(.+\n)*Message\tEve +Doe\n$/m)
  })

  it.each(['4', '999999999999999'])('ends with 3 where there is no response %s', async (id) => {
    for (const json of [[], ['--json']]) {
      expect(await rsvp(url, ['show', id, ...json])).toMatchObject({
        code: 3,
        stdout: '',
        stderr: 'There is no such response. It may have been deleted already.\n',
      })
    }
  })

  it.concurrent.each([{ ids: ['abc'] }, { ids: ['1'.repeat(20)] }, { ids: ['1', '2'] }, { ids: [] }])(
    'refuses $ids',
    async ({ ids }) => {
      const { code, stdout, stderr } = await rsvp(url, ['show', ...ids])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).not.toBe('')
    },
  )
})

describe('rsvp show on a terminal', () => {
  it('sets labels beside texts, and keeps the lines of a message', async () => {
    const terminal = rsvpInTerminal(url, ['show', '1'], { env: { TZ: 'America/Chicago' }, columns: 90 })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen().split('\n')).toEqual([
      'Id               1',
      'Name             Ana Cole',
      'Status           Attending',
      'Email            ana@cole.example',
      'Phone            555-0101',
      'Family Members   Joel Cole (child); Dina Cole (not attending)',
      'Volunteer Roles  Usher; Music',
      'Calendar         iCal',
      'Service          2025-01-11',
      'Date             Jan 5, 2025, 8:00 AM',
      'Message          Looking forward to it!',
      '                 Is there parking for a van that is a little longer than usual?',
    ])
    expect(terminal.isFullScreen()).toBe(false)
  })

  it('wraps long texts beside their label in 40 columns', async () => {
    const terminal = rsvpInTerminal(url, ['show', '1'], { columns: 40 })
    expect(await terminal.ended).toBe(0)
    const lines = terminal.screen().split('\n')
    expect(lines.filter((line) => !/^( {17}|[A-Z].{14} {2}) ?\S/.test(line))).toEqual([])
    expect(lines.map((line) => line.slice(17).trim()).join(' ')).toContain(
      'Is there parking for a van that is a little longer',
    )
    expect(terminal.screen()).toMatch(/Family Members {3}Joel Cole \(child\); Dina\n {17} ?Cole/)
  })

  it('draws nothing that the terminal would obey', async () => {
    const terminal = rsvpInTerminal(url, ['show', '3'], { env: { NO_COLOR: '1' } })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw().replaceAll('\r\n', '')).not.toMatch(obeyed)
    expect(terminal.screen()).toMatch(/^Name +Eve\n +Doe$/m)
  })
})
