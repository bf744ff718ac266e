import { afterEach, describe, expect, it } from 'vitest'
import { isBackupDue, nextBackup } from './due.ts'

/** A moment in the zone of this process. */
const at = (text: string) => new Date(`2025-01-${text}:00`)

it.each([
  ['now, as none was ever made', undefined, '05T01:00', '05T01:00'],
  ['tonight', '04T02:31', '05T02:29', '05T02:30'],
  ['now, at its time', '04T02:31', '05T02:30', '05T02:30'],
  ['tomorrow night', '05T02:30', '05T14:00', '06T02:30'],
  ['tomorrow night, after one by hand', '05T13:00', '05T14:00', '06T02:30'],
  ['now, after one by hand in the evening', '04T22:00', '05T02:30', '05T02:30'],
  ['now, as the site was down at the time', '03T02:30', '05T01:00', '05T01:00'],
  ['now, as the clock was ahead when the last one was made', '09T02:30', '05T23:00', '05T23:00'],
])('the next backup is made %s', (_, made, now, expected) => {
  const last = made === undefined ? undefined : at(made)
  expect(nextBackup(last, at(now))).toEqual(at(expected))
  expect(isBackupDue(last, at(now))).toBe(now === expected)
})

describe('where summer time begins or ends', () => {
  const HOUR = 60 * 60 * 1000
  const zone = process.env.TZ

  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  it.each([
    ['America/New_York', 'at 03:30', '2026-03-08T07:30Z'],
    ['America/New_York', 'at 02:30', '2026-11-01T07:30Z'],
    ['Australia/Lord_Howe', 'at 02:30', '2026-10-03T15:30Z'],
  ])('in %s the backup is made once, %s', (place, _, moment) => {
    process.env.TZ = place
    const due = new Date(moment)
    const later = (hours: number) => new Date(due.getTime() + hours * HOUR)
    const last = later(-20)
    expect(nextBackup(last, later(-1))).toEqual(due)
    expect([isBackupDue(last, new Date(due.getTime() - 1)), isBackupDue(last, due)]).toEqual([false, true])
    for (let hours = 1; hours < 22; hours++) expect(isBackupDue(due, later(hours))).toBe(false)
  })
})
