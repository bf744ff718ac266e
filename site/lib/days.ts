import { dayText, formatDay, formatMoment, formatTime } from '#site/texts/dates.ts'
import { locale, t } from '#site/texts/texts.ts'

/** The day of a service, e.g. `2026-11-21`, and as people read it. */
export type ServiceDay = { date: string; label: string }

/** The services that an RSVP can be for; none where visitors are not told of them. */
export type OfferedServices = {
  offered: ServiceDay[]
  /** Why the first of them is later than usual. */
  note?: string | undefined
  /** Which days between them are without a service. */
  skipped?: string | undefined
}

export function serviceDay(date: string): ServiceDay {
  return { date, label: dayText(date) }
}

/** The day of a service as a leaf of a calendar, e.g. `Nov`, `28`, `Sat`; `label` says it in words. */
export type DateTile = ServiceDay & { month: string; day: string; weekday: string }

export function dateTile(service: ServiceDay): DateTile {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(service.date))
  return {
    ...service,
    month: part({ month: 'short' }),
    day: String(new Date(service.date).getUTCDate()),
    weekday: part({ weekday: 'short' }),
  }
}

/** A later moment beside an earlier one: `9:12 AM`, with the day in front where that is another one. */
export function formatLater(later: string, earlier: string, zone: string): string {
  return formatDay(later, zone) === formatDay(earlier, zone) ? formatTime(later, zone) : formatMoment(later, zone)
}

/** The time of printing, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date, zone: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return t('As of {moment}', { moment: format.format(now) })
}
