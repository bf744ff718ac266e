import * as z from 'zod/mini'

// Days of the calendar as texts, e.g. `2026-11-21`. They have no time zone, so they are calculated with in UTC.

const noSuchDay = 'Give a day of the calendar, e.g. 2026-11-21.'

const wrongYear = 'Give a day of the years 2000 to 2199, e.g. 2026-11-21.'

/** A day that exists, e.g. `2026-11-21`. A service in another century is a slip of the keys. */
export const calendarDay = z.string(noSuchDay).check(
  z.refine(isDay, { error: noSuchDay, abort: true }),
  z.refine((day) => /^2[01]/.test(day), wrongYear),
)

/** So many days later, or earlier where `count` is negative. */
export function addDays(day: string, count: number): string {
  const moved = new Date(day)
  moved.setUTCDate(moved.getUTCDate() + count)
  return moved.toISOString().slice(0, 10)
}

/** From 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}

/** JavaScript turns February 30 into a day in March. */
function isDay(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false
  const read = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}
