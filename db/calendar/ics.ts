import ICAL from 'ical.js'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { detailsOf, titleOf } from './details.ts'
import type { CalendarSeries } from './schema.ts'
import { timeZoneComponent } from './time-zone-component.ts'
import { weekdayName } from './weekday-name.ts'

/** How often programs that subscribed ask again. */
const REFRESH_INTERVAL = 'PT12H'
/** Seconds from 1970 to 2025. A sequence number ends at 2^31, which the seconds since 1970 reach in 2038. */
const FIRST_REVISION = 1_735_689_600

// The library counts the 75 octets of a folded line without the blank that a continuation begins with.
ICAL.foldLength = 74
// Otherwise its commas and line breaks would be written as they are.
ICAL.design.icalendar.property['x-wr-calname'] = { defaultType: 'text' }

/**
 * The series in the iCalendar format (RFC 5545), or the service of one day. It has no METHOD, which would need an ORGANIZER
 * (RFC 5546); and without one DTSTAMP is when the event was changed last.
 * @param page the address of the share page.
 */
export function writeCalendar(series: CalendarSeries, page: string, now: Date, day?: string): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//RSVP//Weekly service//EN')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('x-wr-calname', textOf(series.event.title))
  calendar.addProperty(new ICAL.Property(['refresh-interval', {}, 'duration', REFRESH_INTERVAL]))
  calendar.addPropertyWithValue('x-published-ttl', REFRESH_INTERVAL)
  calendar.addSubcomponent(timeZoneComponent(series.schedule.timeZone, day ?? series.since, now))
  calendar.addSubcomponent(eventComponent(series, page, day))
  return `${calendar.toString()}\r\n`
}

function eventComponent(series: CalendarSeries, page: string, day?: string): ICAL.Component {
  const { id, since, revision, schedule, event, church } = series
  const { weekday, durationMinutes, skippedDates } = schedule
  const first = day ?? firstService(weekday, since, skippedDates)
  const left = skippedDates.filter((date) => date > first && weekdayOf(date) === weekday)
  const changedAt = ICAL.Time.fromJSDate(new Date(Math.max(revision, FIRST_REVISION) * 1000), true)
  const component = new ICAL.Component('vevent')
  component.addPropertyWithValue('uid', day === undefined ? id : `${id}-${day}`)
  component.addPropertyWithValue('sequence', Math.max(revision - FIRST_REVISION, 0))
  component.addPropertyWithValue('dtstamp', changedAt)
  component.addPropertyWithValue('last-modified', changedAt)
  component.addProperty(wallTime('dtstart', first, schedule))
  component.addPropertyWithValue('duration', durationOf(durationMinutes))
  if (day === undefined) {
    component.addPropertyWithValue('rrule', ICAL.Recur.fromString(`FREQ=WEEKLY;BYDAY=${weekdayName(weekday)}`))
    for (const skipped of left) component.addProperty(wallTime('exdate', skipped, schedule))
  }
  component.addPropertyWithValue('summary', textOf(titleOf(event, church)))
  component.addPropertyWithValue('location', textOf(event.location))
  component.addPropertyWithValue('description', detailsOf(event, page).map(textOf).join('\n\n'))
  component.addPropertyWithValue('url', page)
  return component
}

/** A series has to begin with a service that is held. */
function firstService(weekday: number, since: string, skippedDates: string[]): string {
  let day = addDays(since, (weekday - weekdayOf(since) + 7) % 7)
  while (skippedDates.includes(day)) day = addDays(day, 7)
  return day
}

/** When a service starts on the clock of its zone, where clocks that are set forward may skip that hour. */
function wallTime(name: string, day: string, { startTime, timeZone }: CalendarSeries['schedule']): ICAL.Property {
  return new ICAL.Property([name, { tzid: timeZone }, 'date-time', `${day}T${startTime}:00`])
}

/** In hours and minutes: a day would be 23 or 25 hours long when clocks change. */
function durationOf(minutes: number): ICAL.Duration {
  return ICAL.Duration.fromData({ hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** Without what the format forbids: it knows one line break, and of all control characters only the tab. */
function textOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
}
