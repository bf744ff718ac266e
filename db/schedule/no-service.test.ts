import { expect, it } from 'vitest'
import { findNoService } from './services.ts'

const schedule = { weekday: 6, lastService: '2026-11-20', skippedDates: ['2026-11-28', '2026-12-05', '2026-12-25'] }

it.each([
  ['2026-11-21', undefined],
  // On another weekday, before this one
  ['2026-11-20', undefined],
  [
    '2026-11-22',
    ['There is no service on Sunday, November 22: services are on Saturdays.', '2026-11-21', '2026-12-12'],
  ],
  [
    '2026-11-27',
    ['There is no service on Friday, November 27: services are on Saturdays.', '2026-11-21', '2026-12-12'],
  ],
  ['2026-11-28', ['The service on Saturday, November 28 is skipped.', '2026-11-21', '2026-12-12']],
  ['2026-12-05', ['The service on Saturday, December 5 is skipped.', '2026-11-21', '2026-12-12']],
  ['2026-12-06', ['There is no service on Sunday, December 6: services are on Saturdays.', '2026-11-21', '2026-12-12']],
  // Skipped on the weekday before this one
  ['2026-12-25', ['The service on Friday, December 25 is skipped.', '2026-12-19', '2026-12-26']],
])('on %s there is a service, or the nearest are named: %j', (date, named) => {
  const found = findNoService(date, schedule)
  expect(found && [found.text, found.before, found.after]).toEqual(named)
})
