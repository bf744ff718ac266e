import { describe, expect, it } from 'vitest'
import { formatDay } from './dates.ts'
import { calendarDay } from './schemas.ts'

describe('calendarDay', () => {
  const noSuchDay = 'Give a day of the calendar, e.g. 2026-11-21.'
  const wrongYear = 'Give a day of the years 2000 to 2199, e.g. 2026-11-21.'

  it.each(['2000-01-01', '2028-02-29', '2199-12-31'])('takes %s', (day) => {
    expect(calendarDay.parse(day)).toBe(day)
  })

  it.each([
    ['2026-02-30', noSuchDay],
    ['26-11-21', noSuchDay],
    ['+010000-01', noSuchDay],
    ['1999-12-31', wrongYear],
    ['2200-01-01', wrongYear],
    ['9999-12-31', wrongYear],
  ])('refuses %s: %s', (day, message) => {
    expect(calendarDay.safeParse(day).error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

it.each([
  ['2025-01-05T14:00:00.000Z', 'America/Chicago', 'Jan 5, 2025'],
  ['2025-01-05T03:00:00.000Z', 'America/Chicago', 'Jan 4, 2025'],
  ['whenever', 'America/Chicago', 'whenever'],
  ['2025-01-05T03:00:00.000Z', 'America/Unheard_Of', 'Jan 5, 2025 UTC'],
])('writes %s in %s as %s', (iso, zone, day) => {
  expect(formatDay(iso, zone)).toBe(day)
})
