import { expect, it } from 'vitest'
import { comingDayText } from './schedule.ts'

it.each([
  ['2026-11-28', 'Today, Saturday, November 28'],
  ['2026-11-27', 'This Saturday, November 28'],
  ['2026-11-22', 'This Saturday, November 28'],
  ['2026-11-21', 'Saturday, November 28'],
])('the service of November 28 is on %s %s', (today, text) => {
  expect(comingDayText('2026-11-28', today)).toBe(text)
})
