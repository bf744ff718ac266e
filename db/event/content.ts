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
