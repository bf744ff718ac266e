// What browsers need of the event without loading a schema for it.
import type { EventPayload } from './schema.ts'

/** The event as the screens name it (specification, section 3). */
export type EventContent = {
  pageTitle: string
  pageSubtitle: string
  eventTitle: string
  eventDescription: string
  date: string
  time: string
  location: string
}

export const EVENT_TEXT_MAXIMUM = 2000

export const defaultEvent: EventContent = {
  pageTitle: 'Sabbath Worship Service',
  pageSubtitle: 'Join us in worship and fellowship',
  eventTitle: 'Weekly Service',
  eventDescription:
    'Come as you are. Everyone is welcome to a morning of worship, prayer and community. Bring your family, bring a friend, and stay a while with us afterwards.',
  date: 'Every Sabbath',
  time: '10:00 AM',
  location: '123 Main Street, Springfield',
}

/** What is sent, and shown at once: trimmed and with its defaults, as the server will store it. */
export function toPayload(content: EventContent): EventPayload {
  return {
    title: content.pageTitle.trim() || defaultEvent.pageTitle,
    subtitle: content.pageSubtitle.trim() || defaultEvent.pageSubtitle,
    eventTitle: content.eventTitle.trim() || defaultEvent.eventTitle,
    description: content.eventDescription.trim() || defaultEvent.eventDescription,
    date: content.date.trim() || defaultEvent.date,
    time: content.time.trim() || defaultEvent.time,
    location: content.location.trim() || defaultEvent.location,
  }
}

export function toContent(payload: EventPayload): EventContent {
  return {
    pageTitle: payload.title,
    pageSubtitle: payload.subtitle,
    eventTitle: payload.eventTitle ?? defaultEvent.eventTitle,
    eventDescription: payload.description,
    date: payload.date,
    time: payload.time,
    location: payload.location,
  }
}
