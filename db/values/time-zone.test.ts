import { describe, expect, it } from 'vitest'
import { momentOf } from './time-zone.ts'

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
