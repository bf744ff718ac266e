import { DEFAULT_EVENT_TITLE, DEFAULT_PAGE_TITLE, type EventContent } from './content.ts'

/** Shown while nothing is stored. Apart from content.ts, which every visitor loads. */
export const defaultEvent: EventContent = {
  pageTitle: DEFAULT_PAGE_TITLE,
  pageSubtitle: 'Join us in worship and fellowship',
  eventTitle: DEFAULT_EVENT_TITLE,
  eventDescription:
    'Come as you are. Everyone is welcome to a morning of worship, prayer and community. Bring your family, bring a friend, and stay a while with us afterwards.',
  date: 'Every Sabbath',
  time: '10:00 AM',
  location: '123 Main Street, Springfield',
}
