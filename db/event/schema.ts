import * as z from 'zod/mini'
import { storableText } from '../text.ts'

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

/** A text of the event. Left empty, it becomes its default. */
function eventText(label: string, whenEmpty: string) {
  return z.pipe(
    storableText(label, EVENT_TEXT_MAXIMUM),
    z.transform((text: string) => text || whenEmpty),
  )
}

/** The event as it travels. `eventTitle` may be left out: the stored one then stays. */
export const eventPayload = z.object(
  {
    title: eventText('The page title', defaultEvent.pageTitle),
    subtitle: eventText('The page subtitle', defaultEvent.pageSubtitle),
    eventTitle: z.optional(eventText('The event title', defaultEvent.eventTitle)),
    description: eventText('The description', defaultEvent.eventDescription),
    date: eventText('The date', defaultEvent.date),
    time: eventText('The time', defaultEvent.time),
    location: eventText('The location', defaultEvent.location),
  },
  'Send the event as a JSON object.',
)
export type EventPayload = z.output<typeof eventPayload>

export function toPayload(content: EventContent): EventPayload {
  return {
    title: content.pageTitle || defaultEvent.pageTitle,
    subtitle: content.pageSubtitle || defaultEvent.pageSubtitle,
    eventTitle: content.eventTitle || defaultEvent.eventTitle,
    description: content.eventDescription || defaultEvent.eventDescription,
    date: content.date || defaultEvent.date,
    time: content.time || defaultEvent.time,
    location: content.location || defaultEvent.location,
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
