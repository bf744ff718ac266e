import { TZDate } from '@date-fns/tz'
import { formatISO } from 'date-fns/formatISO'
import { nextServiceOf, type SharedEvent } from './content.ts'

type Addresses = { page: string; picture: string }

/**
 * The next service as search engines and calendars read it (https://schema.org/Event); undefined while the schedule is only
 * a guess.
 */
export function eventMarkup({ event, schedule, church }: SharedEvent, { page, picture }: Addresses) {
  const next = nextServiceOf(schedule)
  if (next === undefined) return undefined
  const moment = (iso: string) => formatISO(new TZDate(iso, schedule.timeZone))
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.pageTitle,
    description: event.eventDescription,
    startDate: moment(next.startsAt),
    endDate: moment(next.endsAt),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.location,
      address: event.location,
      ...(event.mapLink && { hasMap: event.mapLink }),
    },
    image: [picture],
    url: page,
    ...(church?.name && { organizer: { '@type': 'Organization', name: church.name, url: page } }),
  }
}
