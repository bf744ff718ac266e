import { dayText } from '#site/texts/dates.ts'

/** The day of a service, e.g. `2026-11-21`, and as people read it. */
export type ServiceDay = { date: string; label: string }

export function serviceDay(date: string): ServiceDay {
  return { date, label: dayText(date) }
}
