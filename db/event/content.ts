// Apart from the schema, so that browsers need not load it.

/** The event with the names of the screens (specification, section 3). */
export type EventContent = {
  pageTitle: string
  pageSubtitle: string
  eventTitle: string
  eventDescription: string
  date: string
  time: string
  location: string
} & OptionalEventTexts

/** For first-time visitors. An empty text is left out, also in requests and replies. */
export type OptionalEventTexts = {
  mapLink?: string | undefined
  contact?: string | undefined
  whatToExpect?: string | undefined
  parking?: string | undefined
  children?: string | undefined
}

export const EVENT_TEXT_MAXIMUM = 2000

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
    parking: payload.parking,
    children: payload.children,
  }
}

/** The texts that can be translated, by their names in requests, with their names on the screens. */
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
  parking: 'parking',
  children: 'children',
} as const
