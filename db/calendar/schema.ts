import * as z from 'zod/mini'
import type { EventPayload } from '#db/event/schema.ts'
import type { Schedule } from '#db/schedule/schema.ts'

/** The weekly service as a calendar keeps it. */
export type CalendarSeries = {
  /** The same for as long as there is this database, whatever is changed and wherever the site moves. */
  id: string
  /** The series begins with the first service from this day on. */
  since: string
  /** Rises with each change of the event, the schedule or the skipped dates. */
  revision: number
  schedule: Schedule
  event: EventPayload
  /** Its name; null where it has said none. */
  church: string | null
}

/**
 * The addresses of what puts the service into a visitor's calendar, by the calendar that was chosen. It repeats each week on
 * the weekday, from 0 for Sunday.
 */
export const calendarLinks = z.object({ google: z.string(), ical: z.string(), weekday: z.int() })
export type CalendarLinks = z.output<typeof calendarLinks>

/** In a calendar full of other things the entry says whose service it is, where the church has said its name. */
export function titleOf({ eventTitle, title }: EventPayload, church: string | null): string {
  const name = eventTitle ?? title
  return church === null || name.includes(church) ? name : `${name}, ${church}`
}

/** What stands below the title and the place of the service in a calendar, in paragraphs. `page` is the share page. */
export function detailsOf(event: EventPayload, page: string): string[] {
  const { description, whatToExpect, contact, mapLink } = event
  return [
    description,
    ...(whatToExpect ? [whatToExpect] : []),
    ...(contact ? [`Questions? ${contact}`] : []),
    ...(mapLink ? [`Map: ${mapLink}`] : []),
    page,
  ]
}

const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** As recurrence rules name a weekday, from 0 for Sunday to 6 for Saturday. */
export function weekdayName(weekday: number): string {
  const name = NAMES[weekday]
  if (name === undefined) throw new Error(`There is no weekday ${weekday}.`)
  return name
}
