import { describe, expect, it } from 'vitest'
import type { WeekHeadcount } from '#db/rsvp/counts.ts'
import { weeksOfYear } from './overview.ts'

const last = '2026-11-21'

function week(date: string, expected: number): WeekHeadcount {
  const people = { expected, adults: expected, teens: 0, children: 0, notSaid: 0 }
  return { date, counted: { attending: expected, notAttending: 0 }, people, superseded: 0, skipped: false }
}

function shown(weeks: WeekHeadcount[], skippedDates: string[] = []) {
  return weeksOfYear(weeks, skippedDates, last)
    .toReversed()
    .map(({ date, people }) => [date, people?.expected])
}

describe('weeksOfYear', () => {
  it('has the latest week first', () => {
    const weeks = weeksOfYear([week(last, 5), week('2026-11-14', 7)], [], last)
    expect(weeks.map(({ date }) => date)).toEqual([last, '2026-11-14'])
  })

  it('begins with the first responses, with weeks without any as zero', () => {
    expect(shown([week(last, 5), week('2026-10-31', 7)])).toEqual([
      ['2026-10-31', 7],
      ['2026-11-07', 0],
      ['2026-11-14', 0],
      [last, 5],
    ])
  })

  it('has 53 weeks at most, and none after the last', () => {
    const weeks = shown([week('2026-11-28', 9), week(last, 5), week('2025-11-22', 7), week('2025-11-15', 8)])
    expect(weeks).toHaveLength(53)
    expect([weeks[0], weeks.at(-1)]).toEqual([
      ['2025-11-22', 7],
      [last, 5],
    ])
  })

  it('has a gap where there was no service, whoever had responded', () => {
    const weeks = [week(last, 5), week('2026-11-14', 3), week('2026-10-31', 7)]
    expect(shown(weeks, ['2026-11-14', '2026-11-07'])).toEqual([
      ['2026-10-31', 7],
      ['2026-11-07', undefined],
      ['2026-11-14', undefined],
      [last, 5],
    ])
  })

  it('finds services of the weekday before this one', () => {
    expect(shown([week(last, 5), week('2026-11-08', 3), week('2026-11-01', 7)])).toEqual([
      ['2026-11-01', 7],
      ['2026-11-08', 3],
      [last, 5],
    ])
  })

  it('is empty before the first responses', () => {
    expect(shown([])).toEqual([])
    expect(shown([week('2026-11-28', 9), week('2026-11-14', 0)])).toEqual([])
  })
})
