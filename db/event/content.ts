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
export const optionalEventTexts = ['mapLink', 'contact', 'whatToExpect'] as const
export type OptionalEventTexts = { [Name in (typeof optionalEventTexts)[number]]?: string | undefined }

export const EVENT_TEXT_MAXIMUM = 2000

export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

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

/** The optional texts that are given. */
export function givenTexts(texts: OptionalEventTexts): OptionalEventTexts {
  return Object.fromEntries(optionalEventTexts.map((name) => [name, texts[name]?.trim()]).filter(([, text]) => text))
}

/** Whether a browser may follow this as a link: nothing but pages of the web. */
export function isWebAddress(text = ''): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
