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
