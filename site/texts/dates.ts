import * as english from '#db/values/dates.ts'
import { locale } from './texts.ts'

// Dates, times and numbers in the current language; the examples are English.

/** E.g. `Saturday, November 21`. */
export function dayText(day: string): string {
  return english.dayText(day, locale())
}

/** E.g. `Saturday, November 21, 2026`. */
export function fullDayText(day: string): string {
  return english.fullDayText(day, locale())
}

/** The day of a moment, e.g. `Jan 5, 2025`. `zone` is an IANA name. */
export function formatDay(iso: string, zone: string): string {
  return english.formatDay(iso, zone, locale())
}

/** The day and time of a moment, e.g. `Jan 5, 2025, 9:00 AM`. */
export function formatMoment(iso: string, zone: string): string {
  return english.formatMoment(iso, zone, locale())
}

/** The time of a moment, e.g. `9:00 AM`. */
export function formatTime(iso: string, zone: string): string {
  return english.write(iso, locale(), { timeStyle: 'short', timeZone: zone })
}

/** The name of a weekday, from 0 for Sunday, e.g. `Saturday`. */
export function weekdayName(weekday: number): string {
  // January 1, 2023 was a Sunday.
  const day = new Date(Date.UTC(2023, 0, 1 + weekday))
  return new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' }).format(day)
}

/** E.g. `Ana, Ben, and Cy`. */
export function listText(items: string[]): string {
  return new Intl.ListFormat(locale()).format(items)
}

/** Joins two parts, e.g. `today, 5 responses`. `Intl.ListFormat` would write "and" in some languages. */
export function comma(): string {
  return locale().startsWith('ar') ? '، ' : ', '
}

/** E.g. `1,200`. */
export function numberText(count: number): string {
  return count.toLocaleString(locale())
}
