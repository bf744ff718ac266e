import { addDays, weekdayOf } from '#db/values/dates.ts'
import { locale } from '#site/texts/plural.ts'

/** From 0 for Sunday. */
export const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

/** A month as a calendar shows it. */
export type Month = {
  /** E.g. `December 2026`. */
  title: string
  /** Weeks from Sunday to Saturday; undefined for a day of another month. */
  weeks: (string | undefined)[][]
}

/** The month that is so many after that of a day, which is e.g. `2026-11-21`. */
export function monthAfter(day: string, count: number): Month {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const start = new Date(Date.UTC(year, month - 1 + count, 1))
  const first = start.toISOString().slice(0, 10)
  const before = weekdayOf(first)
  const length = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  const weeks = Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const number = week * 7 + weekday - before
      return number < 0 || number >= length ? undefined : addDays(first, number)
    }),
  )
  return { title: start.toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }), weeks }
}
