import ICAL from 'ical.js'
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { type CalendarSeries, detailsOf, titleOf, weekdayName } from './series.ts'

const REFRESH_INTERVAL = 'PT12H'
/** Seconds from 1970 to 2025. SEQUENCE ends at 2^31, which the seconds since 1970 reach in 2038. */
const FIRST_REVISION = 1_735_689_600

// Lines fold at 75 octets, and the library does not count the space that begins a continuation.
ICAL.foldLength = 74
// Otherwise the library would not escape its commas and line breaks.
ICAL.design.icalendar.property['x-wr-calname'] = { defaultType: 'text' }

/**
 * The series in the iCalendar format (RFC 5545), or the service of one day. It has no METHOD, which would need an
 * ORGANIZER (RFC 5546); without METHOD, DTSTAMP is the time of the last change.
 * @param page the address of the share page.
 */
export function writeCalendar(series: CalendarSeries, page: string, day?: string): string {
  return writeEvents(series, [eventComponent(series, page, day)])
}

/** A service in the calendar of a household, and what its entry says about the household. */
export type OwnService = { day: string; details: string[] }

/**
 * The services of one household.
 * @param series has the id and the revision of the household's calendar.
 */
export function writeOwnServices(series: CalendarSeries, page: string, services: OwnService[]): string {
  const events = services.map(({ day, details }) => eventComponent(series, page, day, details))
  return writeEvents(series, events)
}

function writeEvents(series: CalendarSeries, events: ICAL.Component[]): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//RSVP//Weekly service//EN')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('x-wr-calname', plainText(series.event.title))
  calendar.addProperty(new ICAL.Property(['refresh-interval', {}, 'duration', REFRESH_INTERVAL]))
  calendar.addPropertyWithValue('x-published-ttl', REFRESH_INTERVAL)
  const { timeZone } = series.schedule
  // For programs that do not know the zone by its name. Outlook reads rules of this form and no others.
  if (tzlib_get_timezones().includes(timeZone)) {
    const [block = ''] = tzlib_get_ical_block(timeZone)
    const zone = ICAL.Component.fromString(block)
    // Of a zone with several names, e.g. Asia/Calcutta, the library writes another one.
    zone.updatePropertyWithValue('tzid', timeZone)
    calendar.addSubcomponent(zone)
  }
  for (const event of events) calendar.addSubcomponent(event)
  return `${calendar.toString()}\r\n`
}

function eventComponent(series: CalendarSeries, page: string, day?: string, details: string[] = []): ICAL.Component {
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
  // In hours and minutes: a day would be 23 or 25 hours long when clocks change.
  const lasting = { hours: Math.floor(durationMinutes / 60), minutes: durationMinutes % 60 }
  component.addPropertyWithValue('duration', ICAL.Duration.fromData(lasting))
  if (day === undefined) {
    component.addPropertyWithValue('rrule', ICAL.Recur.fromString(`FREQ=WEEKLY;BYDAY=${weekdayName(weekday)}`))
    for (const skipped of left) component.addProperty(wallTime('exdate', skipped, schedule))
  }
  component.addPropertyWithValue('summary', plainText(titleOf(event, church)))
  component.addPropertyWithValue('location', plainText(event.location))
  const description = [...details, ...detailsOf(event, page)].map(plainText).join('\n\n')
  component.addPropertyWithValue('description', description)
  component.addPropertyWithValue('url', page)
  return component
}

/** A series has to begin with a service that is held. */
function firstService(weekday: number, since: string, skippedDates: string[]): string {
  let day = addDays(since, (weekday - weekdayOf(since) + 7) % 7)
  while (skippedDates.includes(day)) day = addDays(day, 7)
  return day
}

/** In local time, which may be in an hour that daylight saving skips. */
function wallTime(name: string, day: string, { startTime, timeZone }: CalendarSeries['schedule']): ICAL.Property {
  return new ICAL.Property([name, { tzid: timeZone }, 'date-time', `${day}T${startTime}:00`])
}

/** Removes what the format forbids: line breaks other than \n, and control characters other than the tab. */
function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
}
