import { describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { currentService } from '#db/schedule/services.ts'
import { sharePage, testSeries } from './calendar-fixtures.ts'
import { googleLink } from './google-link.ts'

const now = new Date('2026-11-22T12:00:00Z')

/** What a clock in a time zone shows, as Google's links write it. */
function clock(zone: string, moment: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return shown.format(new Date(moment)).replaceAll(/[-:]/g, '').replace(' ', 'T')
}

describe('googleLink', () => {
  it.each<Partial<Schedule>>([
    {},
    { weekday: 0, startTime: '00:30', timeZone: 'Pacific/Apia' },
    { weekday: 6, startTime: '23:00', timeZone: 'Australia/Lord_Howe', durationMinutes: 240 },
    { weekday: 5, timeZone: 'America/Sao_Paulo', skippedDates: ['2026-11-27'] },
  ])('begins with the next service and repeats weekly: %j', (schedule) => {
    const series = testSeries(schedule)
    const { origin, pathname, searchParams } = new URL(googleLink(series, sharePage, now))
    const { timeZone, weekday } = series.schedule
    const { startsAt, endsAt } = currentService(series.schedule, now)
    expect(origin + pathname).toBe('https://calendar.google.com/calendar/render')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      action: 'TEMPLATE',
      dates: `${clock(timeZone, startsAt)}/${clock(timeZone, endsAt)}`,
      ctz: timeZone,
      recur: `RRULE:FREQ=WEEKLY;BYDAY=${['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][weekday]}`,
    })
  })

  it('is one service where its day is given, also where that is not as long as others on the clock', () => {
    const night = testSeries({ timeZone: 'America/Chicago', weekday: 0, startTime: '00:30' })
    const { searchParams } = new URL(googleLink(night, sharePage, now, '2027-03-14'))
    expect(searchParams.get('dates')).toBe('20270314T003000/20270314T033000')
    expect(searchParams.has('recur')).toBe(false)
  })

  it('holds the texts, and where the page is', () => {
    const optional = { whatToExpect: 'Songs', contact: 'Ana, 555 0100', mapLink: 'https://map.example/1' }
    const event = {
      ...testEvent({ eventTitle: 'Songs & prayers +1', description: 'A\nB', location: '1 Main St; 50%' }),
      ...optional,
    }
    const link = googleLink(testSeries({}, { event, church: 'Grace Church' }), sharePage, now)
    expect(link).not.toContain('+')
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      text: 'Songs & prayers +1, Grace Church',
      location: '1 Main St; 50%',
      details: `A\nB\n\nSongs\n\nQuestions? Ana, 555 0100\n\n${sharePage}`,
    })
  })

  it('stays short enough for Google, whatever is written', () => {
    const long = '🙏'.repeat(1000)
    const optional = { whatToExpect: long, contact: long, mapLink: `https://map.example/${'x'.repeat(1000)}` }
    const event = { ...testEvent({ eventTitle: long, description: long, location: long }), ...optional }
    const link = googleLink(testSeries({}, { event }), sharePage, now)
    expect(link.length).toBeLessThan(10_000)
    expect(new URL(link).searchParams.get('text')).toBe(`${'🙏'.repeat(149)}…`)
  })
})
