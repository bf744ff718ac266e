import { beforeEach, describe, expect, it, vi } from 'vitest'
import { auditLines, testCall, testRsvp } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { inDatabase, rsvp, rsvpDrawn, testClock, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

/** A Wednesday. */
const now = new Date('2026-11-18T12:00:00.000Z')
const call = testCall({ now })
const silent = { code: 0, signal: null, stdout: '', stderr: '' }

testClock(now)
beforeEach(() =>
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps; DELETE FROM schedules; DELETE FROM skipped_dates')),
)

describe('rsvp schedule', () => {
  beforeEach(async () => {
    await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2026-11-28'] }, call)
  })

  it('prints in a pipe what programs read, a line for each', async () => {
    expect(await rsvp(url, ['schedule'])).toEqual({
      ...silent,
      stdout: [
        'Weekday\tSaturday\n',
        'Time\t10:00\n',
        'Minutes\t120\n',
        'Time zone\tAmerica/Chicago\n',
        'RSVPs close\tnone\n',
        'Confirmed\tyes\n',
        'Skipped\t2026-11-28\n',
        'Service\t2026-11-21\t2026-11-21T16:00:00.000Z\t2026-11-21T18:00:00.000Z\n',
        ...['12-05', '12-12', '12-19', '12-26'].map(
          (day) => `Service\t2026-${day}\t2026-${day}T16:00:00.000Z\t2026-${day}T18:00:00.000Z\n`,
        ),
        ...['01-02', '01-09', '01-16'].map(
          (day) => `Service\t2027-${day}\t2027-${day}T16:00:00.000Z\t2027-${day}T18:00:00.000Z\n`,
        ),
      ].join(''),
    })
  })

  it('says it in words on a terminal, and prints as JSON what the site gives', async () => {
    const terminal = await rsvpDrawn(url, ['schedule'], { columns: 40 })
    expect(terminal.screen().split('\n')).toEqual(
      expect.arrayContaining([
        'Weekday          Saturday',
        'Time             10:00 AM',
        'Length           2 hours',
        'Time zone        America/Chicago',
        'RSVPs close      when the service ends',
        'Skipped          Saturday, November 28',
        'Confirmed        yes',
        'Next services    Saturday, November 21',
        '                 Saturday, December 5',
      ]),
    )
    expect(JSON.parse((await rsvp(url, ['schedule', '--json'])).stdout)).toEqual(await getSchedule(call))
  })

  it('names the time of a service over whose start clocks are set forward', async () => {
    await changeSchedule({ weekday: 0, startTime: '02:30' }, call)
    vi.setSystemTime('2027-03-01T12:00:00Z')
    const terminal = await rsvpDrawn(url, ['schedule'])
    expect(terminal.screen()).toMatch(
      /^Next services {4}Sunday, March 7\n +Sunday, March 14, 3:30 AM\n +Sunday, March 21$/m,
    )
  })

  it('points out what contradicts it, and that it is not confirmed', async () => {
    await changeSchedule({ weekday: 0 }, call)
    const sentence =
      'The event’s date names another day than the schedule, which says Sunday. Change the one that is wrong.'
    expect((await rsvp(url, ['schedule'])).stdout).toContain(`\nContradiction\t${sentence}\n`)
    inDatabase(url, (database) => database.exec('DELETE FROM schedules'))
    expect((await rsvp(url, ['schedule'])).stdout).toMatch(/\nConfirmed\tno\n/)
    const terminal = await rsvpDrawn(url, ['schedule'])
    expect(terminal.screen()).toMatch(/^Confirmed {8}no, this is the default: see `rsvp schedule --help`$/m)
  })
})

describe('rsvp schedule, of a change', () => {
  it.each([
    ['--weekday Sundays', { weekday: 0 }],
    ['--weekday fri.', { weekday: 5 }],
    ['--start 9:30', { startTime: '09:30' }],
    ['--start 6:30pm', { startTime: '18:30' }],
    ['--start 12:15a.m.', { startTime: '00:15' }],
    ['--duration 1h30', { durationMinutes: 90 }],
    ['--time-zone america/new_york', { timeZone: 'America/New_York' }],
    ['--closes none', { closesMinutesBefore: null }],
    ['--closes 1d12h', { closesMinutesBefore: 36 * 60 }],
    ['--weekday sun --start 9:00 --duration 75', { weekday: 0, startTime: '09:00', durationMinutes: 75 }],
  ])('understands %s', async (line, change) => {
    const { code, stdout } = await rsvp(url, ['schedule', ...line.split(' ')])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(await getSchedule(call)).toMatchObject({ ...change, confirmed: true })
  })

  it.each([
    [['--weekday', 's'], /^"s" is not a weekday\. Give one, e\.g\. saturday\.\n/],
    [['--start', '10'], /^"10" is not a time\. Give one, e\.g\. 10:00 or "6:30 PM"\.\n/],
    [['--start', '13pm'], /is not a time/],
    [['--duration', 'long'], /^"long" is not a length\. Give minutes/],
    [['--time-zone', 'Chicago'], /^"Chicago" is not a time zone\. Did you mean America\/Chicago\?\n/],
    [['--time-zone', 'Utopia'], /is not a time zone\. Give the name of one, e\.g\. America\/Chicago\.\n/],
    [['--closes', '2'], /^"2" is not a time before the start\. Give one, e\.g\. 2h, 30m or 1d/],
  ])('refuses %j in a sentence, and changes nothing', async (words, sentence) => {
    expect(await rsvp(url, ['schedule', ...words])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    })
    expect(await getSchedule(call)).toMatchObject({ confirmed: false })
  })

  it('says what holds from now on, how many responses moved, and what contradicts it', async () => {
    await rsvp(url, ['schedule', '--time-zone', 'America/Chicago'])
    await createRsvp(testRsvp(), call)
    await createRsvp(testRsvp({ serviceDate: '2026-12-05' }), call)
    expect(await rsvp(url, ['schedule', '--weekday', 'sunday', '--closes', '2h'])).toEqual({
      ...silent,
      stderr: [
        'Services are on Sundays at 10:00 AM (America/Chicago), 2 hours long. ',
        'RSVPs close 2 hours before the service starts.\n',
        '2 responses moved along to the new day.\n',
        'The event’s date names another day than the schedule, which says Sunday. Change the one that is wrong.\n',
      ].join(''),
    })
    const { stdout, stderr } = await rsvp(url, ['schedule', '--weekday', 'monday', '--quiet', '--json'])
    expect([stderr, JSON.parse(stdout)]).toEqual(['', await getSchedule(call)])
    expect(await auditLines()).toContain('terminal: schedule changed weekday closesMinutesBefore')
  })
})

describe('rsvp schedule --skip', () => {
  it('leaves services out, each once, and says who had responded', async () => {
    await rsvp(url, ['schedule', '--time-zone', 'America/Chicago'])
    await createRsvp(testRsvp(), call)
    const dates = ['2026-11-21', '2026-12-26', '2026-11-21']
    expect(await rsvp(url, ['schedule', '--skip', ...dates])).toEqual({
      ...silent,
      stderr: [
        'Saturday, November 21 is skipped. It has 1 response: see `rsvp list --week 2026-11-21`.\n',
        'Saturday, December 26 is skipped.\n',
      ].join(''),
    })
    const { skippedDates, services } = await getSchedule(call)
    expect(skippedDates).toEqual(['2026-11-21', '2026-12-26'])
    expect(services[0]?.date).toBe('2026-11-28')
  })

  it('queues messages to those who come where mail is set, and takes a reason', async () => {
    await changeSchedule({ weekday: 6 }, call)
    await createRsvp(testRsvp(), call)
    const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@example.org' }
    const words = ['schedule', '--skip', '2026-11-21', '--reason', 'The heating is broken.', '--quiet']
    expect(await rsvp(url, words, { env })).toEqual(silent)
    expect((await rsvp(url, ['mail', 'queue'], { env })).stderr).toBe('1 message waiting.\n')
    expect(await rsvp(url, ['schedule', '--unskip', '2026-11-21', '--quiet'], { env })).toEqual(silent)
    expect((await rsvp(url, ['mail', 'queue'], { env })).stderr).toBe('0 messages waiting.\n')
    expect(await rsvp(url, ['schedule', '--reason', 'None', '--quiet'])).toMatchObject({ code: 2 })
  })

  it('says what was skipped already, and what is over', async () => {
    await changeSchedule({ weekday: 6 }, call)
    const { stderr } = await rsvp(url, ['schedule', '--skip', '2026-11-14'])
    expect(stderr).toBe('Saturday, November 14 is skipped. That service is over: it counts as one that was not held.\n')
    const again = await rsvp(url, ['schedule', '--skip', '2026-11-14', '--json'])
    expect(again.stderr).toMatch(/^Saturday, November 14 was skipped already\. /)
    expect(JSON.parse(again.stdout)).toEqual(await getSchedule(call))
    expect(await rsvp(url, ['schedule', '--skip', '2026-12-05', '--quiet'])).toEqual(silent)
  })

  it.each([
    [
      ['2026-12-26', '2026-12-25'],
      'Friday, December 25 has no service: services are on Saturdays, e.g. 2026-12-19 or 2026-12-26.\n',
    ],
    [['2026-12-26', 'Christmas'], '"Christmas" is not a day. Give one, e.g. 2026-11-21.\n'],
    [[], "error: option '--skip <dates...>' argument missing\n"],
  ])('refuses %j, and skips nothing', async (words, sentence) => {
    await changeSchedule({ weekday: 6 }, call)
    const { code, stderr } = await rsvp(url, ['schedule', '--skip', ...words])
    expect([code, stderr]).toEqual([2, `${sentence}see rsvp schedule --help\n`])
    expect(await getSchedule(call)).toMatchObject({ skippedDates: [] })
  })
})

describe('rsvp schedule --unskip', () => {
  it('holds services after all, the others where one was not skipped, and then exits with 3', async () => {
    await changeSchedule({ skippedDates: ['2026-11-21', '2026-12-26'] }, call)
    const first = await rsvp(url, ['schedule', '--unskip', '2026-11-21', '--json'])
    expect(first).toMatchObject({ code: 0, stderr: 'The service on Saturday, November 21 is held.\n' })
    expect(JSON.parse(first.stdout)).toEqual(await getSchedule(call))
    const stderr = 'The service on Saturday, November 28 is not skipped.\n'
    const second = await rsvp(url, ['schedule', '--unskip', '2026-11-28', '2026-12-26', '--quiet'])
    expect(second).toEqual({ ...silent, code: 3, stderr })
    expect(await getSchedule(call)).toMatchObject({ skippedDates: [] })
  })

  it('does not confirm a guess, nor does --skip', async () => {
    for (const command of ['--skip', '--unskip']) {
      expect(await rsvp(url, ['schedule', command, '2026-11-20'], { env: { TZ: 'America/Toronto' } })).toEqual({
        ...silent,
        code: 78,
        stderr: [
          'The schedule is only a guess so far: Saturdays at 10:00 AM (America/Toronto). Set it first, e.g. with ',
          '`rsvp schedule --weekday saturday --start 10:00 --time-zone America/Toronto`.\n',
        ].join(''),
      })
    }
    expect(await getSchedule(call)).toMatchObject({ skippedDates: [], confirmed: false })
  })
})
