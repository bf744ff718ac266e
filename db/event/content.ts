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
