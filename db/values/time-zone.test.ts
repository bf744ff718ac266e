import { tzScan } from '@date-fns/tz'
import { addMinutes } from 'date-fns/addMinutes'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayIn, momentOf, serverTimeZone, startOfDay } from './time-zone.ts'

const zones = Intl.supportedValuesOf('timeZone')

/** The same by Intl, independent of the code under test. */
function dayByIntl(zone: string, moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(moment)
}

/** What a clock shows, e.g. `2025-11-21 10:30`. */
function clockByIntl(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
}

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

  it('is on that day, and the millisecond before is not, in any zone', () => {
    const anyDay = fc
      .date({ min: new Date('2012-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyDay, (zone, day) => {
        const start = startOfDay(zone, day) ?? new Date(0)
        expect(dayByIntl(zone, start)).toBe(day)
        expect(dayByIntl(zone, new Date(start.getTime() - 1)) < day).toBe(true)
      }),
      { numRuns: 500, seed: 1 },
    )
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

  const years = { start: new Date('2029-01-01'), end: new Date('2031-01-01') }
  const changing = ['America/Havana', 'America/Santiago', 'Asia/Beirut', 'Atlantic/Azores', 'Australia/Lord_Howe']
  const changes = changing.flatMap((zone) => tzScan(zone, years).map(({ date }) => ({ zone, date })))

  it('is the first moment whose clock shows it, around every change of the clocks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...changes), fc.integer({ min: -150, max: 150 }), ({ zone, date }, minutes) => {
        const clock = clockByIntl(zone)
        const [day = '', time = ''] = clock.format(addMinutes(date, minutes)).split(' ')
        const start = momentOf(zone, day, time)
        const shownBefore = Array.from({ length: 150 }, (_, before) => clock.format(addMinutes(start, -1 - before)))
        expect(clock.format(start)).toBe(`${day} ${time}`)
        expect(shownBefore).not.toContain(`${day} ${time}`)
      }),
      { numRuns: 50, seed: 1 },
    )
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
