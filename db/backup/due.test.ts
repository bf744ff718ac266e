import { afterEach, describe, expect, it } from 'vitest'
import { dayIn } from '#db/values/time-zone.ts'
import { isBackupDue, isDrillDue, nextBackup } from './due.ts'

/** A moment in the zone of this process. */
const at = (text: string) => new Date(`2025-01-${text}:00`)

describe('isBackupDue', () => {
  it.each([
    ['none was ever made', undefined, '05T01:00', true],
    ['the last one is of tonight', '05T02:30', '05T14:00', false],
    ['the last one is of last night, and it is time', '04T02:31', '05T02:30', true],
    ['the last one is of last night, and it is not time yet', '04T02:31', '05T02:29', false],
    ['the site was down at the time', '03T02:30', '05T01:00', true],
    ['one was made by hand in the evening, before the time', '04T22:00', '05T02:30', true],
    ['the clock was ahead when it was made', '09T02:30', '05T23:00', true],
  ])('is right when %s', (_, last, now, expected) => {
    expect(isBackupDue(last === undefined ? undefined : at(last), at(now), '02:30')).toBe(expected)
  })
})

describe('nextBackup', () => {
  it.each([
    ['tonight', '04T02:31', '05T01:00', '05T02:30'],
    ['tomorrow night', '05T02:30', '05T14:00', '06T02:30'],
    ['tomorrow night after one by hand', '05T13:00', '05T14:00', '06T02:30'],
    ['now, if that of the last night is missing', '03T02:30', '05T01:00', '05T01:00'],
  ])('is %s', (_, last, now, expected) => {
    expect(nextBackup(at(last), at(now), '02:30')).toEqual(at(expected))
  })
})

describe('isBackupDue through a year', () => {
  const STEP = 10 * 60 * 1000
  const DAY = 24 * 60 * 60 * 1000
  const zone = process.env.TZ

  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  /** The local days and times of the backups of a site that checks every ten minutes through a year. */
  function nightsIn(place: string, time: string): string[] {
    process.env.TZ = place
    const nights: string[] = []
    let last = new Date('2025-12-31T23:00:00Z')
    for (let moment = last.getTime(); moment < Date.parse('2026-12-30T00:00:00Z'); moment += STEP) {
      const now = new Date(moment)
      if (!isBackupDue(last, now, time)) continue
      last = now
      nights.push(`${dayIn(place, now)} ${now.toTimeString().slice(0, 5)}`)
    }
    return nights
  }

  it.each([
    ['America/New_York', '02:30', '2026-03-08 03:30'],
    ['America/Santiago', '00:00', '2026-09-06 01:00'],
    ['Australia/Lord_Howe', '02:10', '2026-10-04 02:40'],
  ])('is true once a night in %s at %s, also %s', (place, time, odd) => {
    const nights = nightsIn(place, time).slice(1)
    const days = nights.map((night) => night.slice(0, 10))
    expect(days).toEqual(daysFrom(String(days[0]), nights.length))
    expect(nights.length).toBeGreaterThan(360)
    // On all other days at the scheduled time.
    const shifted = nights.filter((night) => !night.endsWith(time))
    expect(shifted).toEqual(odd.endsWith(time) ? [] : [odd])
    expect(nights).toContain(odd)
  })

  function daysFrom(first: string, count: number): string[] {
    return Array.from({ length: count }, (_, day) => new Date(Date.parse(first) + day * DAY).toISOString().slice(0, 10))
  }
})

describe('isDrillDue', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const ago = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000).toISOString()

  it.each([
    ['there never was one', undefined, true],
    ['one has passed 29 days ago', { at: ago(29.99), passed: true }, false],
    ['one has passed 30 days ago', { at: ago(30), passed: true }, true],
    ['one has failed an hour ago', { at: ago(1 / 24), passed: false }, false],
    ['one has failed a day ago', { at: ago(1), passed: false }, true],
    ['one has passed while the clock was ahead', { at: ago(-0.01), passed: true }, true],
  ])('where %s: %o is %s', (_, last, due) => {
    expect(isDrillDue(last, now)).toBe(due)
  })
})
