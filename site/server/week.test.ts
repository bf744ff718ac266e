import { describe, expect, it } from 'vitest'
import type { WeekHeadcount } from '#db/rsvp/counts.ts'
import { addDays } from '#db/values/dates.ts'
import { weeksOfYear } from './week.ts'

const last = '2026-11-21'

function week(date: string, expected: number, skipped = false): WeekHeadcount {
  const people = { expected, ofAbsent: 0, adults: expected, teens: 0, children: 0, notSaid: 0 }
  return { date, counted: { attending: expected, notAttending: 0 }, people, superseded: 0, skipped }
}

describe('weeksOfYear', () => {
  it('has the services with responses or a turnout, the latest first, and none in the future', () => {
    const weeks = [week('2026-11-28', 9), week(last, 5), week('2026-11-14', 3, true), week('2026-11-08', 7)]
    const turnouts = [
      { date: last, people: 6 },
      { date: '2026-10-31', people: 4 },
    ]
    const shown = weeksOfYear(weeks, last, turnouts)
    expect(shown.map(({ date, people, turnout }) => [date, people?.expected, turnout])).toEqual([
      [last, 5, 6],
      ['2026-11-14', undefined, undefined],
      ['2026-11-08', 7, undefined],
      ['2026-10-31', 0, 4],
    ])
  })

  it('has 53 at most', () => {
    const weeks = Array.from({ length: 60 }, (_, back) => week(addDays(last, -7 * back), 1))
    expect(weeksOfYear(weeks, last, [])).toHaveLength(53)
  })
})
