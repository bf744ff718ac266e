import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns'

/** The zone in which days are written and files are named, as in `America/Chicago`: the server's own, or TZ. */
export function serverTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The day of a moment, as in `2026-11-21`. */
export function dayIn(zone: string, moment: Date): string {
  return format(new TZDate(moment, zone), 'yyyy-MM-dd')
}

/** The moment at which a day begins. `day` as in `2026-11-21`; undefined when there is no such day. */
export function startOfDay(zone: string, day: string): Date | undefined {
  const [year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new TZDate(year, month - 1, date, zone)
  // The calendar turns 30 February into a day in March.
  return dayIn(zone, start) === day ? new Date(start) : undefined
}
