import { DEFAULT_EVENT_TITLE, DEFAULT_PAGE_TITLE, type EventContent } from './event-content.ts'

/** Shown while no event is stored. In a file of its own, because every visitor loads event-content.ts. */
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

/** The event's texts about when the service is. */
export type EventTimes = Pick<EventContent, 'date' | 'time'>

/**
 * Whether only the texts of the event say when services are: an administrator has changed them, but not confirmed the
 * schedule. Visitors are then offered neither days nor a calendar, which could be wrong.
 */
export function isUnscheduled({ date, time }: EventTimes, { confirmed }: { confirmed: boolean }): boolean {
  return !confirmed && (date !== defaultEvent.date || time !== defaultEvent.time)
}
