import type { EventPayload } from '#db/event/schema.ts'

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
