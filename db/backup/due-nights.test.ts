import { afterEach, describe, expect, it } from 'vitest'
import { dayIn } from '#db/values/time-zone.ts'
import { isBackupDue } from './due.ts'

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

describe('isBackupDue through a year', () => {
  it.each([
    ['America/New_York', '02:30', '2026-03-08 03:30'],
    ['America/New_York', '01:30', '2026-11-01 01:30'],
    ['Europe/Berlin', '02:30', '2026-03-29 03:30'],
    ['Europe/Berlin', '02:10', '2026-03-29 03:10'],
    ['America/Santiago', '00:00', '2026-09-06 01:00'],
    ['Australia/Lord_Howe', '02:10', '2026-10-04 02:40'],
    ['Asia/Seoul', '23:50', '2026-06-01 23:50'],
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
})

function daysFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, day) => new Date(Date.parse(first) + day * DAY).toISOString().slice(0, 10))
}
