import { describe, expect, it } from 'vitest'
import { monthAfter } from './months.ts'

describe('monthAfter', () => {
  it('has whole weeks from Sunday to Saturday', () => {
    const { title, weeks } = monthAfter('2026-12-17', 0)
    expect(title).toBe('December 2026')
    expect(weeks.map((days) => days.map((day) => day?.slice(-2) ?? '  ').join(' '))).toEqual([
      '      01 02 03 04 05',
      '06 07 08 09 10 11 12',
      '13 14 15 16 17 18 19',
      '20 21 22 23 24 25 26',
      '27 28 29 30 31      ',
    ])
  })

  it.each([
    ['2026-12-31', 1, 'January 2027', 31],
    ['2026-11-30', 3, 'February 2027', 28],
    ['2027-02-28', 12, 'February 2028', 29],
    ['2026-08-31', 1, 'September 2026', 30],
  ])('of %s, %i later, is %s', (day, count, title, length) => {
    const month = monthAfter(day, count)
    expect(month.title).toBe(title)
    expect(month.weeks.flat().filter((one) => one !== undefined)).toHaveLength(length)
    expect(month.weeks.every((days) => days.length === 7)).toBe(true)
  })
})
