import { dayText, formatDay, formatMoment, formatTime } from '#site/texts/dates.ts'
import { locale, t } from '#site/texts/texts.ts'

/** The date of a service, e.g. `2026-11-21`, and its text in the language of the page. */
export type ServiceDay = { date: string; label: string }

/** The services to choose from; none if days are not shown to visitors. */
export type OfferedServices = {
  offered: ServiceDay[]
  /** Why the first one is later than usual. */
  note?: string | undefined
  /** The dates between them that are skipped. */
  skipped?: string | undefined
}

export function serviceDay(date: string): ServiceDay {
  return { date, label: dayText(date) }
}

/** The date of a service as the leaf of a calendar: `Nov`, `28`, `Sat`. */
export function dateTile(date: string) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(date))
  return {
    month: part({ month: 'short' }),
    day: String(new Date(date).getUTCDate()),
    weekday: part({ weekday: 'short' }),
  }
}

/** The later of two moments that are shown together: `9:12 AM`, with the date if that differs. */
export function formatLater(later: string, earlier: string, zone: string): string {
  return formatDay(later, zone) === formatDay(earlier, zone) ? formatTime(later, zone) : formatMoment(later, zone)
}

/** The time of printing, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date, zone: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return t('As of {moment}', { moment: format.format(now) })
}
