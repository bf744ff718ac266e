import * as z from 'zod/mini'
import { type Language, languages } from '#db/language/languages.ts'
import { idDigits, storableText } from '#db/values/schemas.ts'
import { ROLE_NAME_MAXIMUM } from '#db/volunteer-role/schema.ts'
import { EVENT_TEXT_MAXIMUM, isMapLink, notMapLink } from './content.ts'
import { defaultEvent } from './default-event.ts'

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
  revision: number
}

const notLanguage = `Name one of the languages of the site: ${languages.join(', ')}.`

const language = z.enum(languages, notLanguage)
export const namedLanguage = z.object({ language }, 'Send the language as a JSON object, e.g. {"language": "es"}.')

/** A text that is left out or empty is not translated: the church's first version is shown in its place. */
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

/** The texts that can be in another language. A map is the same in each. */
export const translatedTexts = z.object(
  {
    title: translatedText('The page title'),
    subtitle: translatedText('The page subtitle'),
    eventTitle: translatedText('The event title'),
    description: translatedText('The description'),
    date: translatedText('The date'),
    time: translatedText('The time'),
    location: translatedText('The location'),
    contact: translatedText('The contact'),
    whatToExpect: translatedText('What to expect'),
    /** The names of volunteer roles by their ids, e.g. `{ "1": "Begrüßung" }`. An empty one is not translated. */
    roles: z._default(roleNames, {}),
  },
  'Send the translated texts as a JSON object.',
)
export type TranslatedTexts = z.output<typeof translatedTexts>

/** All texts of the event in one language, in place of those that are stored. */
export const eventTranslation = z
  .extend(z.extend(translatedTexts, { language }), {
    onlyIfNone: z.optional(z.boolean()),
    /** Replace only what still has one of these revisions; `any` for whatever is stored. */
    onlyIfRevision: z.optional(z.union([z.literal('any'), z.array(z.int())])),
  })
  .check(
    z.refine(
      ({ language: _language, onlyIfNone: _none, onlyIfRevision: _revision, roles, ...texts }) =>
        [...Object.values(texts), ...Object.values(roles)].some((text) => text !== ''),
      'Give at least one text in this language.',
    ),
  )

/** The texts of one language as they are stored: those that are not translated are empty. */
export type StoredTranslation = {
  language: Language
  texts: TranslatedTexts
  revision: number
}

export const eventLanguages = z.object({ language, translations: z.array(language) })
export type EventLanguages = z.output<typeof eventLanguages>
