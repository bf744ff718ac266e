import { describe, expect, it } from 'vitest'
import { calendarDay } from './calendar-day.ts'

const noSuchDay = 'Give a day of the calendar, e.g. 2026-11-21.'
const wrongYear = 'Give a day of the years 2000 to 2199, e.g. 2026-11-21.'

describe('calendarDay', () => {
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
