import { describe, expect, it } from 'vitest'
import type { Schedule } from './schema.ts'
import { weekDate, weekWord } from './services.ts'

const schedule = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'America/Chicago',
  closesMinutesBefore: 24 * 60,
  skippedDates: [],
  lastService: '2026-11-12',
}
const names = ['last', 'this', 'next', 'all'] as const

function datesAt(moment: string, changes: Partial<Schedule> = {}): (string | undefined)[] {
  return names.map((name) => weekDate(name, { ...schedule, ...changes }, new Date(moment)))
}

describe('weekDate', () => {
  it.each([
    ['on the day before, although RSVPs are closed', '2026-11-20T18:00:00Z'],
    ['while the service is being held', '2026-11-21T17:59:59Z'],
    ['once the service before it is over', '2026-11-14T18:00:00Z'],
  ])('takes the service that is not over for this week’s, %s', (_, moment) => {
    expect(datesAt(moment)).toEqual(['2026-11-12', '2026-11-21', '2026-11-28', undefined])
  })

  it('goes on once the service is over', () => {
    expect(datesAt('2026-11-21T18:00:00Z')).toEqual(['2026-11-12', '2026-11-28', '2026-12-05', undefined])
  })

  it('passes over skipped services', () => {
    const skippedDates = ['2026-11-21', '2026-12-05']
    expect(datesAt('2026-11-20T18:00:00Z', { skippedDates })).toEqual([
      '2026-11-12',
      '2026-11-28',
      '2026-12-12',
      undefined,
    ])
  })

  it('goes by the clock of the church', () => {
    const moment = '2026-11-21T00:30:00Z'
    expect(datesAt(moment, { timeZone: 'Pacific/Auckland' })[1]).toBe('2026-11-28')
    expect(datesAt(moment, { timeZone: 'Pacific/Honolulu' })[1]).toBe('2026-11-21')
  })

  it('leaves a day as it is, also one without a service', () => {
    expect(weekDate('2026-11-22', schedule, new Date('2026-01-01T00:00:00Z'))).toBe('2026-11-22')
  })
})

describe('weekWord', () => {
  it.each([...names, '2026-11-21', '2027-02-28'])('accepts %s', (word) => {
    expect(weekWord.safeParse(word).success).toBe(true)
  })

  it.each(['This', 'today', '', '2026-02-30', '21.11.2026', '2026-11'])('refuses %j in a sentence', (word) => {
    expect(weekWord.safeParse(word).error?.issues.map(({ message }) => message)).toEqual([
      'A week is this, next, last, all, or the day of its service, e.g. 2026-11-21.',
    ])
  })
})
