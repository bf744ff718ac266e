import type { EventPayload } from '#db/event/schema.ts'
import type { Schedule } from '#db/schedule/schema.ts'

/** The weekly service as a calendar keeps it. */
export type CalendarSeries = {
  /** Constant for the lifetime of the database, even if the site moves. */
  id: string
  /** The series begins with the first service from this day on. */
  since: string
  /** Rises with each change of the event, the schedule or the skipped dates. */
  revision: number
  schedule: Schedule
  event: EventPayload
  /** The name of the church; null if it is not set. */
  church: string | null
}

/** Adds the name of the church, if known: a calendar is full of other entries. */
export function titleOf({ eventTitle, title }: EventPayload, church: string | null): string {
  const name = eventTitle ?? title
  return church === null || name.includes(church) ? name : `${name}, ${church}`
}

/** The description of the calendar entry, in paragraphs. `page` is the address of the share page. */
export function detailsOf(event: EventPayload, page: string): string[] {
  const { description, whatToExpect, contact, mapLink } = event
  const paragraphs = [description, whatToExpect, contact && `Questions? ${contact}`, mapLink && `Map: ${mapLink}`, page]
  return paragraphs.flatMap((text) => text || [])
}

const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** The name of a weekday in recurrence rules, from 0 for Sunday. */
export function weekdayName(weekday: number): string {
  const name = NAMES[weekday]
  if (name === undefined) throw new Error(`There is no weekday ${weekday}.`)
  return name
}
