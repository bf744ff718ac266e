import { expect, it, vi } from 'vitest'
import { formatDay, formatLater } from './day.ts'

it.each([
  ['2025-01-05T14:00:00.000Z', 'America/Chicago', 'Jan 5, 2025'],
  ['2025-01-05T03:00:00.000Z', 'America/Chicago', 'Jan 4, 2025'],
  ['2025-12-31T23:30:00.000Z', 'Pacific/Auckland', 'Jan 1, 2026'],
])('writes %s in %s as %s', (iso, zone, day) => {
  expect(formatDay(iso, zone)).toBe(day)
})

it.each([
  ['2025-01-05T15:12:00.000Z', 'America/Chicago', '9:12 AM'],
  ['2025-01-06T15:12:00.000Z', 'America/Chicago', 'Jan 6, 2025, 9:12 AM'],
  ['2025-01-05T15:12:00.000Z', 'Pacific/Kiritimati', '5:12 AM'],
])('writes that a response was changed at %s in %s as %s', (iso, zone, moment) => {
  expect(formatLater(iso, '2025-01-05T14:00:00.000Z', zone).replace('\u202f', ' ')).toBe(moment)
})

it('creates one format for a whole table', () => {
  const created = vi.spyOn(Intl, 'DateTimeFormat')
  for (let hour = 10; hour < 24; hour++) formatDay(`2025-01-05T${hour}:00:00.000Z`, 'Asia/Kolkata')
  expect(created).toHaveBeenCalledOnce()
  created.mockRestore()
})
