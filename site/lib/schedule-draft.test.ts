import { describe, expect, it } from 'vitest'
import { changeOf, checkTimes, draftOf, timesOf } from './schedule-draft.ts'

const times = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'America/Chicago',
  closesMinutesBefore: null,
}
const stored = { ...times, skippedDates: [], confirmed: true, lastService: '2026-11-14', services: [] }
const draft = draftOf(times)

describe('the draft of the schedule', () => {
  it.each([times, { ...times, weekday: 0, closesMinutesBefore: 0 }])('goes to texts and back: %o', (given) => {
    expect(timesOf(draftOf(given))).toEqual(given)
  })

  it.each([
    ['america/new york', 'America/New_York'],
    ['chicago', 'America/Chicago'],
    [' UTC ', 'UTC'],
    ['Europe/London', 'Europe/London'],
    ['Atlantis', 'Atlantis'],
  ])('understands the time zone “%s” as %s', (timeZone, meant) => {
    expect(timesOf({ ...draft, timeZone }).timeZone).toBe(meant)
  })

  it.each([
    ['startTime', '', /HH:mm/],
    ['durationMinutes', '', /whole number/],
    ['durationMinutes', '90.5', /whole number/],
    ['durationMinutes', '2000', /from 1 to 1440/],
    ['timeZone', 'Atlantis', /no such time zone/],
    ['timeZone', '', /no such time zone/],
  ] as const)('refuses the %s “%s”', (name, text, message) => {
    expect(checkTimes(timesOf({ ...draft, [name]: text }))).toEqual({ [name]: expect.stringMatching(message) })
  })

  it('sends what is different, and all of it where no one has confirmed it', () => {
    expect(changeOf({ ...times, weekday: 0 }, stored)).toEqual({ weekday: 0 })
    expect(changeOf(times, stored)).toEqual({})
    expect(changeOf(times, { ...stored, confirmed: false })).toEqual(times)
  })
})
