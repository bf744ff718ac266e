// What browsers need of the event without loading a schema for it.

/** The event as the screens name it (specification, section 3). */
export type EventContent = {
  pageTitle: string
  pageSubtitle: string
  eventTitle: string
  eventDescription: string
  date: string
  time: string
  location: string
} & OptionalEventTexts

/** What first-time visitors look for. A text that is not given is left out, also where the event travels. */
export type OptionalEventTexts = {
  /** The address of a map. */
  mapLink?: string | undefined
  /** Whom to ask. */
  contact?: string | undefined
  whatToExpect?: string | undefined
}

export const EVENT_TEXT_MAXIMUM = 2000

/** The texts that every event has. */
export const requiredTexts = [
  'pageTitle',
  'pageSubtitle',
  'eventTitle',
  'eventDescription',
  'date',
  'time',
  'location',
] as const satisfies Exclude<keyof EventContent, keyof OptionalEventTexts>[]

/** For an event that was sent without one, as the specification allows. */
export const DEFAULT_EVENT_TITLE = 'Weekly Service'

type PayloadTexts = Record<'title' | 'subtitle' | 'description' | 'date' | 'time' | 'location', string> &
  OptionalEventTexts & { eventTitle?: string | undefined }

/** The event as the screens name it. */
export function toContent(payload: PayloadTexts): EventContent {
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

/** The texts of the event that can be in another language, as they travel and as the screens name them. */
export const translatedNames = {
  title: 'pageTitle',
  subtitle: 'pageSubtitle',
  eventTitle: 'eventTitle',
  description: 'eventDescription',
  date: 'date',
  time: 'time',
  location: 'location',
  contact: 'contact',
  whatToExpect: 'whatToExpect',
} as const

export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

/**
 * Whether this is the address of a page on the web, in one piece: a parser would pass over a line break in it. What else a
 * browser would follow, e.g. a script, is none.
 */
export function isMapLink(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text.trim()) && URL.canParse(text)
}
