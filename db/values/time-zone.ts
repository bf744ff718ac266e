import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'

/** What Node makes of a TZ that is set to nothing. It calculates in UTC then, but takes that name for no time zone. */
const UNKNOWN = 'Etc/Unknown'

/** The time zone of dates and file names, e.g. `America/Chicago`: TZ, or the server's own. */
export function serverTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone === UNKNOWN ? 'UTC' : timeZone
}

/** The day of a moment, e.g. `2026-11-21`. */
export function dayIn(zone: string, moment: Date): string {
  return format(new TZDate(moment, zone), 'yyyy-MM-dd')
}

/** The moment at which a day begins; undefined if there is no such day. `day` is e.g. `2026-11-21`. */
export function startOfDay(zone: string, day: string): Date | undefined {
  const [year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new TZDate(year, month - 1, date, zone)
  // TZDate turns February 30 into a day in March.
  return dayIn(zone, start) === day ? new Date(start) : undefined
}
