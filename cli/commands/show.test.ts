import { beforeAll, describe, expect, it } from 'vitest'
import { getRsvp } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { hostile, inDatabase, obeyed, rsvp, testDatabase } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

const { url } = testDatabase()
/** What the command shows of the first response, before its message. */
const cells = [
  ['Id', '1'],
  ['Name', 'Ana Cole'],
  ['Email', 'ana@cole.example'],
  ['Phone', '555-0101'],
  ['Status', 'Attending'],
  ['Family Members', 'Joel Cole (child); Dina Cole (not attending)'],
  ['Volunteer Roles', 'Usher; Music'],
  ['Calendar', 'iCal'],
  ['Date', 'Jan 5, 2025, 8:00 AM'],
  ['Service', '2025-01-11'],
]
const van = 'Is there parking for a van that is a little longer than usual?'
const env = { TZ: 'America/Chicago' }

beforeAll(async () => {
  const family = [
    { name: 'Joel Cole', age: 'child' },
    { name: 'Dina Cole', attending: false },
  ]
  const details = { phone: '555-0101', message: `Looking forward to it!\n${van}`, calendarType: 'ical' }
  await createRsvp(testRsvp({ ...details, familyMembers: family, volunteerRoles: [2, 3] }), testCall())
  await createRsvp(testRsvp({ attending: false }), testCall())
  await createRsvp(testRsvp({ name: hostile, message: hostile, familyMembers: [{ name: hostile }] }), testCall())
  inDatabase(url, (database) => database.prepare('UPDATE rsvps SET email = ?1, phone = ?1 WHERE id = 3').run(hostile))
})

describe('rsvp show', () => {
  it('prints in a pipe a label and a text on each line, with days in the church’s zone', async () => {
    const lines = [...cells, ['Message', `Looking forward to it! ${van}`]].map((line) => `${line.join('\t')}\n`)
    expect(await rsvp(url, ['show', '1'], { env })).toEqual({ code: 0, stdout: lines.join(''), stderr: '' })
    const { stdout } = await rsvp(url, ['show', '2', '--quiet'])
    expect(stdout.match(/^[^\t]+/gm)).toEqual(['Id', 'Name', 'Email', 'Status', 'Date', 'Service'])
  })

  it('sets on a terminal labels beside texts, and keeps the lines of a message', async () => {
    const terminal = await rsvpDrawn(url, ['show', '1'], { env, columns: 90 })
    expect(terminal.isFullScreen()).toBe(false)
    const lines = [...cells, ['Message', 'Looking forward to it!'], ['', van]]
    expect(terminal.screen().split('\n')).toEqual(lines.map(([label = '', text]) => label.padEnd(17) + text))
  })

  it('prints nothing that a terminal would obey, and JSON exactly as it is stored', async () => {
    const { stdout } = await rsvp(url, ['show', '3'])
    expect(stdout.replaceAll('\t', '')).not.toMatch(obeyed)
    expect(stdout).toMatch(/^Name\tEve +Doe\n(.+\n)*Message\tEve +Doe\n$/m)
    const terminal = await rsvpDrawn(url, ['show', '3'], { env: { NO_COLOR: '1' } })
    expect(terminal.raw().replaceAll('\r\n', '')).not.toMatch(obeyed)
    expect(terminal.screen()).toMatch(/^Name +Eve\n +Doe$/m)
    const json = await rsvp(url, ['show', '3', '--json'])
    expect(json.stdout).not.toMatch(obeyed)
    expect(JSON.parse(json.stdout)).toEqual(await getRsvp({ id: '3' }))
  })

  it('shows who comes every week, as rsvp list does with signs', async () => {
    await createRsvp(testRsvp({ email: 'eva@kim.example', firstVisit: true }), testCall())
    const { id } = await createRsvp(testRsvp({ name: 'Bo Roe', email: 'bo@roe.example', standing: true }), testCall())
    const signs = await rsvpDrawn(url, ['list', '--plain', '--week', 'all'])
    expect(signs.screen()).toMatch(/↻ Bo Roe[\s\S]*★ Ana Cole/)
    expect((await rsvp(url, ['show', String(id)])).stdout).toContain('Comes every week\tyes')
  })

  it.each([
    [['99', '--json'], 3, /^There is no such response\. It may have been deleted already\.\n$/],
    [['abc'], 2, /^[^\n]+\nsee rsvp show --help\n$/],
  ])('refuses %j', async (words, code, stderr) => {
    const refused = { code, stdout: '', stderr: expect.stringMatching(stderr) }
    expect(await rsvp(url, ['show', ...words])).toMatchObject(refused)
  })
})
