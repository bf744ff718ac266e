import { beforeAll, describe, expect, it } from 'vitest'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { auditLines, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { hostile, inDatabase, obeyed, rsvp, testClock, testDatabase } from '../fixtures.ts'
import { rsvpDrawn } from '../terminal-fixtures.ts'

const { url } = testDatabase()

/** A Wednesday. */
const now = new Date('2026-11-18T12:00:00.000Z')
const call = testCall({ now })
const family = [
  { name: 'Joel', age: 'child' },
  { name: '王小明', age: 'teen' },
  { name: 'Al' },
  { name: 'Stays', attending: false },
]
const people = [
  { name: 'Zoe Zimmer', firstVisit: true, familyMembers: family, volunteerRoles: [1, 2], message: 'Pray for\nCy' },
  { name: 'ana cole', volunteerRoles: [1], familyMembers: family },
  { name: 'Ana Cole', volunteerRoles: [2] },
  { name: 'Bo Away', attending: false, volunteerRoles: [1], message: 'We are ill' },
  { name: hostile, message: hostile },
  { name: `Ida ${'x'.repeat(90)}`, serviceDate: '2026-12-12', message: 'w '.repeat(200) },
  { name: '王小明 (家族)', serviceDate: '2026-12-12', message: '请为我祷告'.repeat(40) },
]

beforeAll(async () => {
  await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2026-11-28'] }, call)
  for (const person of people) await createRsvp(testRsvp(person), call)
  inDatabase(url, (database) =>
    database.exec(`
      UPDATE volunteer_roles SET needed = iif(id = 3, 2, 1) WHERE id IN (1, 2, 3);
      UPDATE volunteer_roles SET retired = 1 WHERE id IN (4, 5)`),
  )
})
testClock(now)

const figures = [
  'Sabbath Worship Service',
  'Saturday, November 21, 10:00 AM to 12:00 PM',
  '',
  'People expected             6',
  'Adults                      3',
  'Teens                       1',
  'Children                    1',
  'Age not said                1',
  'Not Attending               1',
  '1 response was sent again; the newest counts.',
  '',
]
const names = [
  'By family name',
  '--------------',
  'Cole                    [ ] Ana Cole (adult)',
  'Doe                     [ ] Eve  Doe (adult)',
  '★ Zimmer                [ ] Zoe Zimmer (adult)',
  '                        [ ] Joel (child)',
  '                        [ ] 王小明 (teen)',
  '                        [ ] Al',
  '★ first visit',
  '',
]
const roles = [
  'Roles',
  '-----',
  'Greeter                 Zoe Zimmer; filled',
  'Usher                   Ana Cole, Zoe Zimmer; filled',
  'Music                   2 of 2 missing',
  'Fellowship Meal         none yet',
]
const messages = [
  '',
  'Messages and prayer requests',
  '----------------------------',
  'Bo Away                 (cannot come) We are ill',
  'Eve  Doe                Eve',
  '                          Doe',
  'Zoe Zimmer              Pray for',
  '                        Cy',
]

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')

describe('rsvp sheet in a pipe', () => {
  it('prints for this week who is expected, who serves and what people wrote, as plain text', async () => {
    const { code, stdout, stderr } = await rsvp(url, ['sheet'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(linesOf(stdout)).toEqual([...figures, ...names, ...roles, ...messages])
    expect(stdout).not.toMatch(obeyed)
  })

  it('keeps within 80 characters, and says so where there are no responses, and where the service is skipped', async () => {
    const { stdout } = await rsvp(url, ['sheet', '--week', '2026-12-12'])
    const widths = linesOf(stdout).map((line) => line.replace(/[^\0-\u2fff]/g, '--').length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(80)
    const none = await rsvp(url, ['sheet', '--week', 'next'])
    expect(linesOf(none.stdout)[3]).toBe('No responses for this service yet.')
    const skipped = await rsvp(url, ['sheet', '--week', '2026-11-28', '--quiet'])
    expect(linesOf(skipped.stdout)[2]).toBe('This service is skipped.')
  })

  it('leaves messages out where it is told to, also in JSON, and is written into the audit with its day', async () => {
    const { stdout } = await rsvp(url, ['sheet', '--without-messages'])
    expect(linesOf(stdout)).toEqual([...figures, ...names, ...roles])
    const json = JSON.parse((await rsvp(url, ['sheet', '--without-messages', '--json'])).stdout)
    expect(json).toEqual({ ...(await getSheet({ week: '2026-11-21' }, call)), messages: [] })
    expect((await auditLines()).at(-1)).toBe('terminal: responses printed 2026-11-21')
  })

  it.each([
    ['all', 'A sheet is for one service: say --week this or next.\n'],
    ['soon', 'A week is this, next, last, all, or the day of its service, e.g. 2026-11-21.\n'],
  ])('refuses --week %s', async (week, sentence) => {
    const { code, stdout, stderr } = await rsvp(url, ['sheet', '--week', week])
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${sentence}see rsvp sheet --help\n` })
  })
})

it('rsvp sheet on a narrow terminal has no line that is too long, and aligns', async () => {
  const terminal = await rsvpDrawn(url, ['sheet'], { columns: 40, rows: 200 })
  expect(terminal.screen().split('\n')).toHaveLength(linesOf(terminal.raw()).length)
  const places = Array.from(terminal.screen().matchAll(/^[\u0020-\u2fff]*?\[ \]/gm), ([line]) => line.length)
  expect(new Set(places).size).toBe(1)
})
