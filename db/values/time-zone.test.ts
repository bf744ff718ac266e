import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayIn, momentOf, serverTimeZone, startOfDay } from './time-zone.ts'

describe('startOfDay', () => {
  it.each([
    ['America/Chicago', '2025-11-21', '2025-11-21T06:00:00.000Z'],
    ['Asia/Kathmandu', '2025-11-21', '2025-11-20T18:15:00.000Z'],
    // The first of two midnights.
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z'],
    ['Atlantic/Azores', '2025-10-26', '2025-10-26T00:00:00.000Z'],
  ])('is midnight in %s on %s', (zone, day, moment) => {
    expect(startOfDay(zone, day)?.toISOString()).toBe(moment)
  })

  it.each(['2026-02-30', '2026-1-1', '2025-11-21T00:00', '2025-11-21\n', '21.11.2026', ''])(
    'is undefined for %j',
    (day) => {
      expect(startOfDay('America/Chicago', day)).toBeUndefined()
    },
  )

  it('is undefined for a day that a country skipped', () => {
    expect(startOfDay('Pacific/Apia', '2011-12-30')).toBeUndefined()
  })
})

describe('momentOf', () => {
  it.each([
    ['Europe/Lisbon', '2029-10-28', '01:00', 'the first minute that comes twice', '2029-10-28T00:00:00.000Z'],
    ['Europe/Lisbon', '2029-10-28', '02:00', 'the minute after', '2029-10-28T02:00:00.000Z'],
    ['America/Chicago', '2026-03-08', '02:00', 'the first minute left out', '2026-03-08T08:00:00.000Z'],
    ['America/Chicago', '2026-03-08', '03:00', 'the minute after', '2026-03-08T08:00:00.000Z'],
    ['Australia/Lord_Howe', '2025-04-06', '01:30', 'half an hour that comes twice', '2025-04-05T14:30:00.000Z'],
  ])('is in %s on %s at %s, %s', (zone, day, time, _, moment) => {
    expect(momentOf(zone, day, time).toISOString()).toBe(moment)
  })
})

describe('serverTimeZone', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ])('with TZ=%s is %s', (zone, expected) => {
    vi.stubEnv('TZ', zone)
    expect(dayIn(serverTimeZone(), new Date('2025-01-05T20:00:00Z'))).toBe(
      dayIn(expected, new Date('2025-01-05T20:00:00Z')),
    )
  })
})
