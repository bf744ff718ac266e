import * as z from 'zod/mini'
import { storableText } from '#db/values/schemas.ts'
import { EVENT_TEXT_MAXIMUM } from './content.ts'
import { defaultEvent } from './default-event.ts'
import { isMapLink, notMapLink } from './map-link.ts'

/** A text of the event. Left empty, it becomes its default. */
function eventText(label: string, whenEmpty: string) {
  return z.pipe(
    storableText(label, EVENT_TEXT_MAXIMUM),
    z.transform((text: string) => text || whenEmpty),
  )
}

/** The event as it travels. What is optional may be left out: the stored text then stays. */
export const eventPayload = z.object(
  {
    title: eventText('The page title', defaultEvent.pageTitle),
    subtitle: eventText('The page subtitle', defaultEvent.pageSubtitle),
    eventTitle: z.optional(eventText('The event title', defaultEvent.eventTitle)),
    description: eventText('The description', defaultEvent.eventDescription),
    date: eventText('The date', defaultEvent.date),
    time: eventText('The time', defaultEvent.time),
    location: eventText('The location', defaultEvent.location),
    mapLink: z.optional(
      storableText('The map link', EVENT_TEXT_MAXIMUM).check(
        z.refine((link) => link === '' || isMapLink(link), notMapLink),
      ),
    ),
    contact: z.optional(storableText('The contact', EVENT_TEXT_MAXIMUM)),
    whatToExpect: z.optional(storableText('What to expect', EVENT_TEXT_MAXIMUM)),
  },
  'Send the event as a JSON object.',
)
export type EventPayload = z.output<typeof eventPayload>

/** The whole event, in place of whatever is stored. */
export const wholeEvent = z.extend(eventPayload, {
  /** Store it only if nothing is stored yet. */
  onlyIfNone: z.optional(z.boolean()),
})

/** Some of the event's texts, at least one. */
export const eventTexts = z
  .extend(z.partial(eventPayload), {
    /** Change only what still has one of these revisions; `any` for whatever is stored. */
    onlyIfRevision: z.optional(z.union([z.literal('any'), z.array(z.int())])),
  })
  .check(
    z.refine(({ onlyIfRevision: _, ...texts }) => Object.keys(texts).length > 0, 'Give at least one text to change.'),
  )

/** The event as it is stored, without the optional texts that are empty. */
export type StoredEvent = {
  event: EventPayload & { eventTitle: string }
  /** Rises with every change. */
  revision: number
}
