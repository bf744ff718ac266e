import { dayText, formatDay, formatMoment, formatTime } from '#site/texts/dates.ts'
import { locale, t } from '#site/texts/texts.ts'

/** The date of a service, e.g. `2026-11-21`, and its text in the language of the page. */
export type ServiceDay = { date: string; label: string }

/** The services to choose from. None if visitors are not shown days. */
export type OfferedServices = { offered: ServiceDay[] }

export function serviceDay(date: string): ServiceDay {
  return { date, label: dayText(date) }
}

/** The date of a service as on a calendar page: `Nov`, `28`, `Sat`. */
export function dateTile(date: string) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(date))
  return {
    month: part({ month: 'short' }),
    day: String(new Date(date).getUTCDate()),
    weekday: part({ weekday: 'short' }),
  }
}

/** The later of two moments that are shown together: its time, e.g. `9:12 AM`, with the date if that differs. */
export function formatLater(later: string, earlier: string, zone: string): string {
  return formatDay(later, zone) === formatDay(earlier, zone) ? formatTime(later, zone) : formatMoment(later, zone)
}

/** The time of printing, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date, zone: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return t('As of {moment}', { moment: format.format(now) })
}
