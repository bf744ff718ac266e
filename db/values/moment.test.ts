import { expect, it, vi } from 'vitest'
import { formatDay } from './moment.ts'

it.each([
  ['2025-01-05T14:00:00.000Z', 'America/Chicago', 'Jan 5, 2025'],
  ['2025-01-05T03:00:00.000Z', 'America/Chicago', 'Jan 4, 2025'],
  ['2025-12-31T23:30:00.000Z', 'Pacific/Auckland', 'Jan 1, 2026'],
])('writes %s in %s as %s', (iso, zone, day) => {
  expect(formatDay(iso, zone)).toBe(day)
})

it('creates one format for a whole table', () => {
  const created = vi.spyOn(Intl, 'DateTimeFormat')
  for (let hour = 10; hour < 24; hour++) formatDay(`2025-01-05T${hour}:00:00.000Z`, 'Asia/Kolkata')
  expect(created).toHaveBeenCalledOnce()
  created.mockRestore()
})
