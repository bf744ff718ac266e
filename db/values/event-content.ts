// Not in event.ts, so that browsers need not load the schema.

/** The texts of every event: their names in requests, with their names on the screens (specification, section 3). */
export const requiredNames = {
  title: 'pageTitle',
  subtitle: 'pageSubtitle',
  eventTitle: 'eventTitle',
  description: 'eventDescription',
  date: 'date',
  time: 'time',
  location: 'location',
} as const
export const requiredTexts = Object.values(requiredNames)

/** Texts for first-time visitors. Empty ones are left out, also in requests and replies. */
export const optionalTexts = ['mapLink', 'contact', 'whatToExpect', 'parking', 'children'] as const
export type OptionalEventTexts = { [Name in (typeof optionalTexts)[number]]?: string | undefined }

/** The event with the names of the screens. */
export type EventContent = Record<(typeof requiredTexts)[number], string> & OptionalEventTexts

export const EVENT_TEXT_MAXIMUM = 2000

/** The page title until the church changes it. */
export const DEFAULT_PAGE_TITLE = 'Sabbath Worship Service'

/** The title of an event that was sent without one, as the specification allows. */
export const DEFAULT_EVENT_TITLE = 'Weekly Service'

type PayloadTexts = Record<Exclude<keyof typeof requiredNames, 'eventTitle'>, string> &
  OptionalEventTexts & { eventTitle?: string | undefined }

export function toContent(payload: PayloadTexts): EventContent {
  const texts: Record<string, string | undefined> = {
    ...payload,
    eventTitle: payload.eventTitle ?? DEFAULT_EVENT_TITLE,
  }
  const shown = [...Object.entries(requiredNames), ...optionalTexts.map((name) => [name, name] as const)]
  return Object.fromEntries(shown.map(([name, shownName]) => [shownName, texts[name]])) as EventContent
}

/** The texts that can be translated: their names in requests, with their names on the screens. */
export const translatedNames = {
  ...requiredNames,
  contact: 'contact',
  whatToExpect: 'whatToExpect',
  parking: 'parking',
  children: 'children',
} as const
