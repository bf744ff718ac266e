import { isDeepStrictEqual } from 'node:util'
import { tzOffset, tzScan } from '@date-fns/tz'
import { millisecondsInMinute } from 'date-fns/constants'
import ICAL from 'ical.js'
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import type { CalendarSeries } from './schema.ts'
import { detailsOf, titleOf, weekdayName } from './schema.ts'

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
export function writeCalendar(series: CalendarSeries, page: string, now: Date, day?: string): string {
  return writeEvents(series, day ?? series.since, now, [eventComponent(series, page, day)])
}

/** A service in the calendar of a household, and what the household has said for it. */
export type OwnService = { day: string; details: string[] }

/**
 * The services of one household.
 * @param series has the id and the revision of the household's calendar.
 */
export function writeOwnServices(series: CalendarSeries, page: string, now: Date, services: OwnService[]): string {
  const events = services.map(({ day, details }) => eventComponent(series, page, day, details))
  return writeEvents(series, services[0]?.day ?? series.since, now, events)
}

function writeEvents(series: CalendarSeries, since: string, now: Date, events: ICAL.Component[]): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//RSVP//Weekly service//EN')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('x-wr-calname', plainText(series.event.title))
  calendar.addProperty(new ICAL.Property(['refresh-interval', {}, 'duration', REFRESH_INTERVAL]))
  calendar.addPropertyWithValue('x-published-ttl', REFRESH_INTERVAL)
  calendar.addSubcomponent(timeZoneComponent(series.schedule.timeZone, since, now))
  for (const event of events) calendar.addSubcomponent(event)
  return `${calendar.toString()}\r\n`
}

const YEARS_AHEAD = 10
const BEFORE_ALL_CHANGES = '1970-01-01T00:00:00'

/** A change of a zone's clocks. Offsets are in minutes from UTC. */
type Change = {
  from: number
  to: number
  /** In local time before the change, e.g. `2026-03-08T02:00:00`. */
  at: string
  yearly?: ICAL.Recur
}

/**
 * The time zone, for programs that do not know it or have older rules. Outlook reads the latest rules and nothing else,
 * so the library has only rules that Outlook understands: in Jerusalem the last Friday of March, where the law says the
 * Friday before the last Sunday. If they differ from our own dates, which are Intl's, before ten years from now, the
 * changes until then are listed, and the rules begin afterwards.
 */
export function timeZoneComponent(zone: string, since: string, now: Date): ICAL.Component {
  const start = `${since.slice(0, 4)}-01-01T00:00:00`
  const end = `${now.getUTCFullYear() + YEARS_AHEAD + 1}-01-01T00:00:00`
  const rules = rulesOf(zone)
  const offset = tzOffset(zone, new Date(`${start}Z`))
  const changes = changesBetween(zone, new Date(`${start}Z`), new Date(`${end}Z`))
  const datesByRule = rules.map((rule) => ({ rule, dates: datesOf(rule, start, end) }))
  const changesByRules = datesByRule
    .flatMap(({ rule: { from, to }, dates }) => dates.slice(0, -1).map((at) => ({ from, to, at })))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  const areRulesRight = rules.some(({ to }) => to === offset) && isDeepStrictEqual(changesByRules, changes)
  const rulesLater = datesByRule.map(({ rule, dates }) => ({ ...rule, at: dates.at(-1) ?? end }))
  const listed = [...rulesLater, { from: offset, to: offset, at: BEFORE_ALL_CHANGES }, ...changes]
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', zone)
  for (const change of areRulesRight ? rules : listed) {
    // Outlook repeats a DAYLIGHT each year, with a rule or without.
    const isDaylight = change.to > change.from && rules.length !== 1
    component.addSubcomponent(observanceOf(change, isDaylight ? 'daylight' : 'standard'))
  }
  return component
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

function changesBetween(zone: string, start: Date, end: Date): Change[] {
  return tzScan(zone, { start, end }).map(({ date, change, offset }) => {
    // tzScan checks full hours, but the clocks of Lord Howe change at 15:30 UTC.
    let moment = date.getTime()
    while (tzOffset(zone, new Date(moment - millisecondsInMinute)) === offset) moment -= millisecondsInMinute
    const from = offset - change
    return { from, to: offset, at: new Date(moment + from * millisecondsInMinute).toISOString().slice(0, 19) }
  })
}

/** The rules of today's law: two, or one without changes; none if the library does not know the zone. */
function rulesOf(zone: string): Change[] {
  if (!tzlib_get_timezones().includes(zone)) return []
  const [block = ''] = tzlib_get_ical_block(zone)
  return ICAL.Component.fromString(block)
    .getAllSubcomponents()
    .map((observance) => {
      const [from = 0, to = 0] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => minutesOf(observance, name))
      const at = String(observance.getFirstPropertyValue('dtstart'))
      const rule = observance.getFirstPropertyValue('rrule')
      return rule instanceof ICAL.Recur ? { from, to, at, yearly: rule } : { from, to, at }
    })
}

function minutesOf(observance: ICAL.Component, name: string): number {
  const offset = observance.getFirstPropertyValue(name)
  return offset instanceof ICAL.UtcOffset ? offset.toSeconds() / 60 : 0
}

/** The days and times of a rule from `start` to the first one that is not before `end`. */
function datesOf({ at, yearly }: Change, start: string, end: string): string[] {
  const times = yearly?.iterator(ICAL.Time.fromDateTimeString(`${start.slice(0, 11)}${at.slice(11)}`))
  const dates: string[] = []
  while (times !== undefined && (dates.at(-1) ?? '') < end) dates.push(times.next().toString())
  return dates
}

function observanceOf({ from, to, at, yearly }: Change, name: string): ICAL.Component {
  const component = new ICAL.Component(name)
  component.addProperty(new ICAL.Property(['dtstart', {}, 'date-time', at]))
  component.addPropertyWithValue('tzoffsetfrom', offsetOf(from))
  component.addPropertyWithValue('tzoffsetto', offsetOf(to))
  if (yearly !== undefined) component.addPropertyWithValue('rrule', yearly)
  return component
}

function offsetOf(minutes: number): ICAL.UtcOffset {
  return ICAL.UtcOffset.fromSeconds(minutes * 60)
}
