import { expect, it } from 'vitest'
import { dateTile } from './date-tile.ts'

it('dateTile is the day as it stands in the calendar, whatever the time zone of the server', () => {
  const service = { date: '2026-11-01', label: 'Sunday, November 1' }
  expect(dateTile(service)).toEqual({ ...service, month: 'Nov', day: '1', weekday: 'Sun' })
})
