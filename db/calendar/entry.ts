import type { EventPayload } from '#db/event/schema.ts'

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
