import * as z from 'zod/mini'
import { defaultEvent } from './default-event.ts'
import { EVENT_TEXT_MAXIMUM } from './event-content.ts'
import { languages } from './languages.ts'
import { idDigits, storableText } from './schemas.ts'
import { isMapLink, notMapLink } from './url.ts'
import { ROLE_NAME_MAXIMUM } from './volunteer-role.ts'

/** An empty text becomes its default. */
function eventText(label: string, whenEmpty: string) {
  return z.pipe(
    storableText(label, EVENT_TEXT_MAXIMUM),
    z.transform((text: string) => text || whenEmpty),
  )
}

/** The event in requests and replies. If an optional text is left out, the stored one stays. */
export const eventPayload = z.object({
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
  parking: z.optional(storableText('Parking', EVENT_TEXT_MAXIMUM)),
  children: z.optional(storableText('Children', EVENT_TEXT_MAXIMUM)),
})
export type EventPayload = z.output<typeof eventPayload>

export const eventTexts = z
  .extend(z.partial(eventPayload), {
    /** Refuses the change unless the event still has one of these revisions; `any` accepts every revision. */
    onlyIfRevision: z.optional(z.union([z.literal('any'), z.array(z.int())])),
  })
  .check(
    z.refine(({ onlyIfRevision: _, ...texts }) => Object.keys(texts).length > 0, 'Give at least one text to change.'),
  )

/** The stored event, without empty optional texts. */
export type StoredEvent = {
  event: EventPayload & { eventTitle: string }
  revision: number
}

const notLanguage = `Name one of the languages of the site: ${languages.join(', ')}.`

const language = z.enum(languages, notLanguage)
export const namedLanguage = z.object({ language })

/** Visitors see the original of a text that is left out or empty. */
function translatedText(label: string) {
  return z._default(storableText(label, EVENT_TEXT_MAXIMUM), '')
}

const roleNames = z.pipe(
  z.record(
    idDigits,
    storableText('The role name', ROLE_NAME_MAXIMUM),
    'Send the roles as a JSON object: their names by their ids.',
  ),
  z.transform((names) => Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ''))),
)

/** The map link is the same in every language. */
export const translatedTexts = z.object({
  title: translatedText('The page title'),
  subtitle: translatedText('The page subtitle'),
  eventTitle: translatedText('The event title'),
  description: translatedText('The description'),
  date: translatedText('The date'),
  time: translatedText('The time'),
  location: translatedText('The location'),
  contact: translatedText('The contact'),
  whatToExpect: translatedText('What to expect'),
  parking: translatedText('Parking'),
  children: translatedText('Children'),
  /** The names of volunteer roles by their ids, e.g. `{ "1": "Begrüßung" }`. Empty names are dropped. */
  roles: z._default(roleNames, {}),
})
export type TranslatedTexts = z.output<typeof translatedTexts>

/** Replaces all texts of the event in one language. */
export const eventTranslation = z.extend(translatedTexts, { language })
/** Texts without a translation are empty. */
export type StoredTranslation = z.output<typeof eventTranslation>

export const eventLanguages = z.object({ language, translations: z.array(eventTranslation) })
export type EventLanguages = z.output<typeof eventLanguages>
