import { DEFAULT_EVENT_TITLE, type EventContent } from './content.ts'
import type { EventPayload } from './schema.ts'

/** The event as the screens name it. In a file of its own: every visitor loads it. */
export function toContent(payload: EventPayload): EventContent {
  return {
    pageTitle: payload.title,
    pageSubtitle: payload.subtitle,
    eventTitle: payload.eventTitle ?? DEFAULT_EVENT_TITLE,
    eventDescription: payload.description,
    date: payload.date,
    time: payload.time,
    location: payload.location,
    mapLink: payload.mapLink,
    contact: payload.contact,
    whatToExpect: payload.whatToExpect,
  }
}
