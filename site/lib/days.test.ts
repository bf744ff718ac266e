import { describe, expect, it } from 'vitest'
import { dateTile, formatLater } from './days.ts'

describe('dateTile', () => {
  it('shows the day of the calendar in any time zone of the server', () => {
    expect(dateTile('2026-11-01')).toEqual({ month: 'Nov', day: '1', weekday: 'Sun' })
  })
})

describe('formatLater', () => {
  it.each([
    ['2025-01-05T15:12:00.000Z', 'America/Chicago', '9:12 AM'],
    ['2025-01-06T15:12:00.000Z', 'America/Chicago', 'Jan 6, 2025, 9:12 AM'],
    ['2025-01-05T15:12:00.000Z', 'Pacific/Kiritimati', '5:12 AM'],
  ])('writes a change on %s, in %s, of a response of Jan 5 as %s', (iso, zone, moment) => {
    expect(formatLater(iso, '2025-01-05T14:00:00.000Z', zone).replace('\u202f', ' ')).toBe(moment)
  })
})
