import type { EventContent, OptionalEventTexts } from './content.ts'
import { defaultEvent } from './default-event.ts'
import type { EventPayload } from './schema.ts'

/** The event to send, and to show at once: trimmed and with defaults, as the server will store it. */
export function toPayload(content: EventContent): EventPayload {
  return {
    title: content.pageTitle.trim() || defaultEvent.pageTitle,
    subtitle: content.pageSubtitle.trim() || defaultEvent.pageSubtitle,
    eventTitle: content.eventTitle.trim() || defaultEvent.eventTitle,
    description: content.eventDescription.trim() || defaultEvent.eventDescription,
    date: content.date.trim() || defaultEvent.date,
    time: content.time.trim() || defaultEvent.time,
    location: content.location.trim() || defaultEvent.location,
    ...givenTexts(content),
  }
}

/** The optional texts that are not empty. */
export function givenTexts({
  mapLink,
  contact,
  whatToExpect,
  parking,
  children,
}: OptionalEventTexts): OptionalEventTexts {
  const optional = { mapLink, contact, whatToExpect, parking, children }
  const texts = Object.entries(optional).map(([name, text]) => [name, text?.trim()])
  return Object.fromEntries(texts.filter(([, text]) => text))
}
