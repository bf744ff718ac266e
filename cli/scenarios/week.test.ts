import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { changeTurnout } from '#db/turnout.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { rsvp, testClock, testDatabase } from '../fixtures.ts'
import { rsvpDrawn, rsvpInTerminal } from '../terminal-fixtures.ts'

const { folder, url } = testDatabase()

/** The Friday before the service of November 21; that of November 28 is skipped. */
const now = new Date('2026-11-20T18:00:00Z')
const people = [
  { name: 'Ana Last', serviceDate: '2026-11-14', sent: '2026-11-10T12:00:00Z' },
  { name: 'Eva This', serviceDate: '2026-11-21', sent: '2026-11-11T12:00:00Z' },
  { name: 'Zoe This', serviceDate: '2026-11-21', sent: '2026-11-12T12:00:00Z' },
  { name: 'Ida Next', serviceDate: '2026-12-05', sent: '2026-11-13T12:00:00Z' },
]

beforeAll(async () => {
  await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2026-11-28'] }, testCall({ now }))
  for (const { sent, ...person } of people) {
    const change = person.serviceDate === '2026-12-05' ? { familyMembers: [{ name: 'Bo Next', age: 'child' }] } : {}
    await createRsvp(testRsvp({ ...person, ...change }), testCall({ now: new Date(sent) }))
  }
  // Loads the time zones before `testClock` replaces the class Date, which they keep.
  await rsvp(url, ['list', '--week', '2200-01-04', '--quiet'])
})
testClock(now)

const weeks: [string, string[]][] = [
  ['--week last', ['Ana Last']],
  ['--week this', ['Zoe This', 'Eva This']],
  ['--week next', ['Ida Next']],
  ['--week 2026-11-21', ['Zoe This', 'Eva This']],
  ['--week all', ['Ida Next', 'Zoe This', 'Eva This', 'Ana Last']],
]

describe('the option --week', () => {
  it.each(weeks)('selects in rsvp list, export and stats, with %s: %j', async (line, names) => {
    const words = line.split(' ')
    const listed = await rsvp(url, ['list', ...words, '--json'])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(listed.stdout).map(({ name }: { name: string }) => name)).toEqual(names)
    const exported = await rsvp(url, ['export', ...words, '--out', '-'])
    expect([...exported.stdout.matchAll(/^\d+,([^,]+),/gm)].map(([, name]) => name)).toEqual(names)
    const { counted, people } = JSON.parse((await rsvp(url, ['stats', ...words, '--json'])).stdout)
    expect(counted).toEqual({ attending: names.length, notAttending: 0 })
    expect(people.expected).toBe(names.length + (names.includes('Ida Next') ? 1 : 0))
  })

  it('prints a message about a day without a service', async () => {
    const remarks = {
      '2026-11-22': `There is no service on Sunday, November 22: services are on Saturdays.\n`,
      '2026-11-28': `The service on Saturday, November 28 is skipped.\n`,
    }
    for (const [day, stderr] of Object.entries(remarks)) {
      expect(await rsvp(url, ['list', '--week', day])).toMatchObject({ code: 0, stdout: '', stderr })
    }
    expect(await rsvp(url, ['list', '--week', '2026-11-28', '--quiet'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('defaults to the week that the administration shows, and in an export to all weeks', async () => {
    vi.setSystemTime('2026-11-17T17:59:59Z')
    const listed = async (...words: string[]) => JSON.parse((await rsvp(url, [...words, '--json'])).stdout)
    expect(await listed('list')).toMatchObject([{ name: 'Ana Last' }])
    expect(await listed('stats')).toMatchObject({ week: '2026-11-14', services: 1, counted: { attending: 1 } })
    const all = await rsvp(url, ['stats', '--week', 'all'])
    expect(all.stdout).toMatch(/^Services together\t3\n(.+\n)+People expected\t5\n/)
    await changeTurnout({ date: '2026-11-14', turnout: 1 }, testCall({ now }))
    expect((await rsvp(url, ['stats', '--week', 'last'])).stdout).toContain('People expected\t1\nPeople who came\t1\n')
    expect(await listed('list')).toMatchObject([{ name: 'Zoe This' }, { name: 'Eva This' }])
    expect(await listed('export', '--out', '-')).toHaveLength(4)
    expect(await listed('list', '--deleted')).toEqual([])
  })
})

it('the file of an export has the day of the church in its name, wherever the server is', async () => {
  vi.setSystemTime('2026-11-21T03:00:00Z')
  expect(await rsvp(url, ['export'], { cwd: folder, env: { TZ: 'Pacific/Kiritimati' } })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toContain('rsvps-2026-11-20.csv')
})

it('rsvp list on a terminal shows the week', async () => {
  const terminal = rsvpInTerminal(url, ['list', '--week', 'next'], { columns: 40, rows: 15 })
  await terminal.shows(/^RSVP Responses +Attending 1.*\nFor Saturday, December 5\n\n/)
  terminal.press('q')
  expect(await terminal.ended).toBe(0)
  const plain = await rsvpDrawn(url, ['list', '--week', 'next', '--plain'])
  expect(plain.screen()).toMatch(/^For Saturday, December 5:\nId +Name/)
})
