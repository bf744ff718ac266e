import { dayText } from '#site/texts/dates.ts'

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
