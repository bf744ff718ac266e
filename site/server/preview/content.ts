import { TZDate } from '@date-fns/tz'
import { formatISO } from 'date-fns/formatISO'
import type { EventContent } from '#db/event/content.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { clockText } from '#db/schedule/texts.ts'
import { dayText } from '#db/values/dates.ts'
import type { ShownChurch } from '#site/server/church/church.ts'

export type SharedEvent = { event: EventContent; schedule: CurrentSchedule; church: ShownChurch | undefined }

export type PreviewContent = ReturnType<typeof previewContent>

const ACCENT = '#6a3460'
const DESCRIPTION_MAXIMUM = 200
const english = { dayText: (day: string) => dayText(day), clockText }

/** @param words formats days and times; English by default. */
export function previewContent({ event, schedule, church }: SharedEvent, words = english) {
  const next = nextServiceOf(schedule)
  // In the 24-hour or 12-hour format of the event's own time.
  const isOf24Hours = /^\s*\d{1,2}[:.]\d\d\s*$/.test(event.time) && findContradictions(event, schedule).length === 0
  const start = isOf24Hours ? schedule.startTime : words.clockText(schedule.startTime)
  return {
    church: church?.name ?? null,
    title: event.pageTitle,
    subtitle: event.pageSubtitle,
    /** Of the next service, e.g. `Saturday, November 28`; null while the schedule is only a guess. */
    day: next === undefined ? null : words.dayText(next.date),
    /** E.g. `10:00 AM`; without a day the event's own texts of its date and time. */
    when: next === undefined ? `${event.date} · ${event.time}` : start,
    place: event.location,
    /** In the light color scheme, e.g. `#6a3460`. */
    accent: church?.accent?.light.accent ?? ACCENT,
    /** The church's own picture. Its address is part of the content, because the hash of this must change with it. */
    picture: church?.picture ? pictureOf(church.picture, church.focus ?? '50,50') : null,
  }
}

function pictureOf({ src, width, height }: NonNullable<ShownChurch['picture']>, focus: string) {
  const [x = 0, y = 0] = focus.split(',').map((percent) => Number(percent) / 100)
  return { src, width, height, focus: { x, y } }
}

/** E.g. `Saturday, November 28, 10:00 AM · 123 Main Street`. */
export function whenAndWhere({ day, when, place }: PreviewContent): string {
  return `${day === null ? when : `${day}, ${when}`} · ${place}`
}

/** The text below the title in a chat: when and where first, because it may cut the rest. */
export function shareDescription(content: PreviewContent, description: string): string {
  const whole = Array.from(`${whenAndWhere(content)}. ${description}`.replace(/\s+/g, ' ').trim())
  if (whole.length <= DESCRIPTION_MAXIMUM) return whole.join('')
  const kept = whole.slice(0, DESCRIPTION_MAXIMUM - 1).join('')
  return `${kept.trimEnd()}…`
}

/** The next service for search engines (https://schema.org/Event); undefined while the schedule is not confirmed. */
export function eventMarkup({ event, schedule, church }: SharedEvent, page: string, picture: string) {
  const next = nextServiceOf(schedule)
  if (next === undefined) return undefined
  const moment = (iso: string) => formatISO(new TZDate(iso, schedule.timeZone))
  const { eventDescription, location, mapLink } = event
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.pageTitle,
    description: eventDescription,
    startDate: moment(next.startsAt),
    endDate: moment(next.endsAt),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: location, ...(mapLink && { hasMap: mapLink }) },
    image: [picture],
    url: page,
    ...(church?.name && { organizer: { '@type': 'Organization', name: church.name, url: page } }),
  }
}

/** Undefined while the schedule is not confirmed: only the event's texts are then right. */
function nextServiceOf(schedule: CurrentSchedule) {
  return schedule.confirmed ? schedule.services[0] : undefined
}
