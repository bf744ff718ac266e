import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput } from '#db/call.ts'
import { getChurch } from '#db/church.ts'
import { getStoredEvent } from '#db/event.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { readSchedule } from '#db/schedule.ts'
import { db } from '#db/storage/client.ts'
import { latestRevision, schedules } from '#db/tables/invitation.ts'
import { dayText, weekdayOf } from '#db/values/dates.ts'
import { defaultEvent, isUnscheduled } from '#db/values/default-event.ts'
import { UserError } from '#db/values/errors.ts'
import type { EventPayload } from '#db/values/event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { currentService, serviceOn } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'

/** The weekly service as a calendar keeps it. */
export type CalendarSeries = {
  /** Constant for the lifetime of the database, even if the site moves. */
  id: string
  /** The series begins with the first service from this day on. */
  since: string
  /** Rises with each change of the event, the schedule or the skipped dates. */
  revision: number
  schedule: Schedule
  event: EventPayload
  /** The name of the church; null if it is not set. */
  church: string | null
}

/** Bytes per text. Google refuses long URLs, in which a byte can take three characters. */
const TEXT_MAXIMUM = 600

/** `date` limits the series to the service of that day. */
const calendarRequest = z.object({ date: z.optional(calendarDay) })

/**
 * The weekly service as a calendar keeps it.
 * @throws UserError 'not-found' while only the event's own texts say when services are, and if there is none on `date`.
 */
export async function getCalendarSeries(input: unknown, call: Call): Promise<CalendarSeries> {
  const { date } = parseInput(calendarRequest, input)
  // Read the revision first: a concurrent change then appears under the old revision and again under its own, never
  // only under the old one.
  const [version] = await db
    .select({ revision: latestRevision, since: sql<string | null>`(SELECT ${schedules.since} FROM ${schedules})` })
    .from(sql`(SELECT 1)`)
  const [schedule, stored, { name: church }, keyedHash] = await Promise.all([
    readSchedule(),
    getStoredEvent(),
    getChurch(),
    readKeyedHash(),
  ])
  const event = stored?.event ?? toPayload(defaultEvent)
  if (isUnscheduled(event, schedule)) {
    const todo = 'An administrator can set it at /admin, in the Settings tab.'
    throw new UserError('not-found', `There is no calendar, because the schedule of the services is not set. ${todo}`)
  }
  const { weekday, skippedDates } = schedule
  if (date !== undefined && (weekdayOf(date) !== weekday || skippedDates.includes(date)))
    throw new UserError('not-found', `There is no service on ${dayText(date)}. The invitation says when there is one.`)
  const { revision = 0, since } = version ?? {}
  // Without a confirmed schedule the past is unknown: the series begins when the event was stored, or now.
  const began = revision === 0 ? call.now : new Date(revision * 1000)
  return {
    id: keyedHash('calendar', 'series'),
    since: since ?? dayIn(schedule.timeZone, began),
    revision,
    schedule,
    event,
    church,
  }
}

/**
 * A link that opens Google Calendar with the series filled in, from the current or next service on, or with the service
 * of one day.
 * @param page the address of the share page.
 */
export function googleLink(series: CalendarSeries, page: string, now: Date, day?: string): string {
  const { event, schedule, church } = series
  const { startsAt, endsAt } = day === undefined ? currentService(schedule, now) : serviceOn(schedule, day)
  const wallTime = (moment: string) => format(new TZDate(moment, schedule.timeZone), "yyyyMMdd'T'HHmmss")
  const fields = new URLSearchParams({
    action: 'TEMPLATE',
    text: shortened(titleOf(event, church)),
    dates: `${wallTime(startsAt)}/${wallTime(endsAt)}`,
    ctz: schedule.timeZone,
    ...(day === undefined && { recur: `RRULE:FREQ=WEEKLY;BYDAY=${weekdayName(schedule.weekday)}` }),
    location: shortened(event.location),
    // A shortened map link would not work; Google links the location itself.
    details: detailsOf({ ...event, mapLink: undefined }, page)
      .map(shortened)
      .join('\n\n'),
  })
  // `+` means a space only in forms.
  return `https://calendar.google.com/calendar/render?${fields}`.replaceAll('+', '%20')
}

/** Adds the name of the church, if known: a calendar is full of other entries. */
export function titleOf({ eventTitle, title }: EventPayload, church: string | null): string {
  const name = eventTitle ?? title
  return church === null || name.includes(church) ? name : `${name}, ${church}`
}

/** The description of the calendar entry, in paragraphs. `page` is the address of the share page. */
export function detailsOf(event: EventPayload, page: string): string[] {
  const { description, whatToExpect, contact, mapLink } = event
  const paragraphs = [description, whatToExpect, contact && `Questions? ${contact}`, mapLink && `Map: ${mapLink}`, page]
  return paragraphs.flatMap((text) => text || [])
}

const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** The name of a weekday in recurrence rules, from 0 for Sunday. */
export function weekdayName(weekday: number): string {
  const name = NAMES[weekday]
  if (name === undefined) throw new Error(`There is no weekday ${weekday}.`)
  return name
}

function shortened(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= TEXT_MAXIMUM) return text
  const ellipsis = '…'
  // In stream mode the decoder drops a character that was cut in two.
  const kept = bytes.subarray(0, TEXT_MAXIMUM - Buffer.byteLength(ellipsis))
  return new TextDecoder().decode(kept, { stream: true }) + ellipsis
}
