import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schedule } from '#db/values/schedule.ts'
import { servicesFrom } from '#db/values/services.ts'
import { testEvent } from '#testing/database-fixtures.ts'
import { readCalendar, servicesIn, sharePage, testSeries } from './calendar-fixtures.ts'
import { writeCalendar } from './ics.ts'

const now = new Date('2026-11-22T12:00:00Z')
const UNTIL = '2028-11-21T00:00:00.000Z'

function write(schedule: Partial<Schedule>, change: Parameters<typeof testSeries>[1] = {}): string {
  return writeCalendar(testSeries(schedule, change), sharePage)
}

const schedules: Partial<Schedule>[] = [
  {},
  { timeZone: 'Asia/Kolkata', skippedDates: ['2026-11-21', '2026-12-26', '2026-12-27', '2027-01-02'] },
  { timeZone: 'Australia/Lord_Howe', weekday: 0, startTime: '09:00' },
  { timeZone: 'Pacific/Apia', weekday: 5, startTime: '00:15' },
  { timeZone: 'Pacific/Chatham', startTime: '18:45', durationMinutes: 1440 },
]

describe('writeCalendar', () => {
  it.each(schedules)('holds the services of two years: %j', (schedule) => {
    const file = write(schedule)
    const services = servicesIn(file, UNTIL)
    expect(services).toEqual(expectedServices(testSeries(schedule).schedule))
    expect(services.length).toBeGreaterThan(95)
  })

  it.each(schedules)('holds one service alone where its day is given: %j', (schedule) => {
    const series = testSeries(schedule)
    for (const { date, startsAt, endsAt } of servicesFrom(series.schedule, now).take(8)) {
      const file = writeCalendar(series, sharePage, date)
      expect(servicesIn(file, UNTIL)).toEqual([{ startsAt, endsAt }])
      expect(file.slice(file.indexOf('BEGIN:VEVENT'))).not.toMatch(/RRULE|EXDATE/)
      expect(readCalendar(file).event.uid).toBe(`an-id-${date}`)
    }
  })

  it('begins with a service that is held', () => {
    const first = (file: string) => readCalendar(file).text('dtstart')
    expect(first(write({ weekday: 0 }, { since: '2026-11-18' }))).toBe('2026-11-22T10:00:00')
    expect(first(write({ skippedDates: ['2026-11-21', '2026-11-28'] }))).toBe('2026-12-05T10:00:00')
  })

  it.each(['UTC', 'Asia/Calcutta', 'Europe/Kiev'])('defines the zone that its times name: %s', (timeZone) => {
    const file = write({ timeZone })
    expect(file).toContain(`BEGIN:VTIMEZONE\r\nTZID:${timeZone}\r\n`)
    expect(file).toContain(`DTSTART;TZID=${timeZone}:`)
  })

  it('names only those skipped dates on which there would be a service', () => {
    const file = write({ skippedDates: ['2026-11-14', '2026-11-21', '2026-12-25', '2026-12-26'] })
    expect(file.match(/^EXDATE.*$/gm)).toEqual(['EXDATE;TZID=America/Chicago:20261226T100000'])
  })

  it('lasts as long as on any other day where clocks change', () => {
    expect(write({ durationMinutes: 1440 })).toContain('\r\nDURATION:PT24H\r\n')
  })

  it('has a sequence number that calendars can hold, in the year 2090 as well', () => {
    const sequenceAt = (moment: string) =>
      Number(readCalendar(write({}, { revision: Date.parse(moment) / 1000 })).text('sequence'))
    expect(sequenceAt('2090-01-01T00:00:00Z')).toBeLessThan(2 ** 31)
    expect(sequenceAt('2090-01-01T00:00:00Z') - sequenceAt('2089-12-31T23:59:59Z')).toBe(1)
    expect(Number(readCalendar(write({}, { revision: 1 })).text('sequence'))).toBe(0)
  })

  it('says who it is, when it changed, and how often to ask', () => {
    const file = write({}, { id: 'the-id', revision: Date.parse('2026-11-20T08:00:00Z') / 1000 })
    const { event, text } = readCalendar(file)
    expect([event.uid, text('dtstamp'), text('last-modified')]).toEqual([
      'the-id',
      '2026-11-20T08:00:00Z',
      '2026-11-20T08:00:00Z',
    ])
    // A METHOD needs an ORGANIZER, and with one DTSTAMP would be the moment in which this file was made.
    expect(file).not.toContain('\r\nMETHOD')
    expect(file).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT12H\r\nX-PUBLISHED-TTL:PT12H\r\n')
  })

  it('names the church, once', () => {
    const summary = (eventTitle: string, church: string | null) =>
      readCalendar(write({}, { event: testEvent({ eventTitle }), church })).event.summary
    expect(summary('Weekly Service', null)).toBe('Weekly Service')
    expect(summary('Weekly Service', 'Grace; Church')).toBe('Weekly Service, Grace; Church')
    expect(summary('Songs at Zion', 'Zion')).toBe('Songs at Zion')
  })

  it('says what is known for who comes for the first time', () => {
    const optional = { whatToExpect: 'Songs; coffee', contact: 'Ana, 555 0100', mapLink: 'https://map.example/?q=1,2' }
    const event = { ...testEvent({ description: 'Welcome' }), ...optional }
    expect(readCalendar(write({}, { event })).text('description')).toBe(
      `Welcome\n\nSongs; coffee\n\nQuestions? Ana, 555 0100\n\nMap: https://map.example/?q=1,2\n\n${sharePage}`,
    )
  })

  it('keeps whatever people type, in one event', () => {
    fc.assert(fc.property(text, checkKept), { seed: 1, numRuns: 100, examples })
  })
})

const awkward = fc.constantFrom(
  ...Array.from('\\;,:"\r\n\t =\u0085\u2028\u0007é安🎵'),
  ...['👨‍👩‍👧‍👦', '\\n', 'BEGIN:VEVENT\r\n', 'END:VEVENT\n'],
)
/** What an administrator can store as a text of the event: no NUL and no half of a surrogate pair. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    fc.string({ unit: awkward, minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  )
  .map((generated) => generated.replaceAll('\0', ' '))

/** Tried before what is generated. */
const examples = [
  'Songs, prayers; and a \\ backslash',
  'One\nline\r\nand\ranother\u2028one',
  'Familie 👨‍👩‍👧‍👦 Größe 安息日 🎵'.repeat(20),
  'BEGIN:VEVENT\r\nUID:other\r\nEND:VEVENT',
  '  \t blanks  \\n \\, "quoted": =1+1 ',
  'controls \u0007\u001b[31m',
].map((example): [string] => [example])

/** @throws Error unless a calendar with this text in all places is one event that still has it. */
function checkKept(typed: string): void {
  const event = testEvent({ title: typed, eventTitle: typed, description: typed, location: typed })
  const file = writeCalendar(testSeries({}, { event }), sharePage)
  const { calendar, text: read } = readCalendar(file)
  const kept = keptOf(typed)
  const found = [
    calendar.getFirstPropertyValue('x-wr-calname'),
    ...['summary', 'location', 'description', 'url'].map(read),
  ]
  const expected = [kept, kept, kept, `${kept}\n\n${sharePage}`, sharePage]
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${JSON.stringify(typed)} was read as ${JSON.stringify(found)}.`)
  const wrong = file.split('\r\n').find((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))
  if (wrong !== undefined) throw new Error(`This line is too long or broken: ${JSON.stringify(wrong)}`)
}

/** One kind of line break, and no control character but the tab. */
function keptOf(typed: string): string {
  const oneBreak = typed.replaceAll('\r\n', '\n').replaceAll(/[\r\u0085\u2028\u2029]/g, '\n')
  return Array.from(oneBreak)
    .filter((character) => character === '\n' || character === '\t' || (character >= ' ' && character !== '\x7f'))
    .join('')
}

/** Those of the site itself. */
function expectedServices(schedule: Schedule) {
  const found: { startsAt: string; endsAt: string }[] = []
  for (const { date, startsAt, endsAt } of servicesFrom(schedule, new Date('2026-11-19T00:00:00Z'))) {
    if (startsAt >= UNTIL) break
    if (date >= '2026-11-21') found.push({ startsAt, endsAt })
  }
  return found
}
