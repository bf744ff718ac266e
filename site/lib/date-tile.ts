import { locale } from '#site/texts/plural.ts'
import type { ServiceDay } from './service-days.ts'

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
