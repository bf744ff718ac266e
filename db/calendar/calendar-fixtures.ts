import ICAL from 'ical.js'
import type { Schedule } from '#db/values/schedule.ts'
import { testSchedule } from '#db/values/schedule-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'
import type { CalendarSeries } from './series.ts'

export const sharePage = 'https://rsvp.example.org/share'

/** A series from November 21, 2026 on, a Saturday. */
export function testSeries(
  schedule: Partial<Schedule> = {},
  change: Partial<Omit<CalendarSeries, 'schedule'>> = {},
): CalendarSeries {
  return {
    id: 'an-id',
    since: '2026-11-21',
    revision: 1_795_000_000,
    event: testEvent(),
    church: null,
    schedule: testSchedule(schedule),
    ...change,
  }
}

/** The file as ical.js reads it, with the only event in it. */
export function readCalendar(file: string): {
  calendar: ICAL.Component
  event: ICAL.Event
  text: (name: string) => string
} {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const [component, ...others] = calendar.getAllSubcomponents('vevent')
  const names = calendar.getAllSubcomponents().map(({ name }) => name)
  if (component === undefined || others.length > 0 || names.length !== 2)
    throw new Error(`There is ${names.join(' ')}.`)
  const text = (name: string) => String(component.getFirstPropertyValue(name))
  return { calendar, event: new ICAL.Event(component), text }
}

/** When the services of a file begin and end until a moment, in UTC: by its own time zone and by nothing else. */
export function servicesIn(file: string, until: string): { startsAt: string; endsAt: string }[] {
  const { event } = readCalendar(file)
  const found: { startsAt: string; endsAt: string }[] = []
  const times = event.iterator()
  for (let time = times.next(); time !== null && time !== undefined; time = times.next()) {
    const startsAt = time.toJSDate()
    if (startsAt.toISOString() >= until) return found
    const endsAt = new Date(startsAt.getTime() + event.duration.toSeconds() * 1000)
    found.push({ startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }
  return found
}
