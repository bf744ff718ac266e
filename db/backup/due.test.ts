import { describe, expect, it } from 'vitest'
import { isBackupDue } from './due.ts'

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
    ['one was made by hand after the time', '05T03:00', '05T23:00', false],
    ['the clock was ahead when it was made', '09T02:30', '05T23:00', true],
  ])('is right when %s', (_, last, now, expected) => {
    expect(isBackupDue(last === undefined ? undefined : at(last), at(now), '02:30')).toBe(expected)
  })
})
