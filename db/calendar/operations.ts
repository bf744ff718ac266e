import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getChurch } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent, isUnscheduled } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { latestRevision } from '#db/revision.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { schedules } from '#db/schedule/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { dayText, weekdayOf } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { googleLink } from './google-link.ts'
import type { CalendarLinks, CalendarSeries } from './schema.ts'

const versions = db
  .select({ revision: latestRevision, since: sql<string | null>`(SELECT ${schedules.since} FROM ${schedules})` })
  .from(sql`(SELECT 1)`)
  .prepare()

/** `date` limits the series to the service of that day. */
const calendarRequest = z.object({ date: z.optional(calendarDay) })

/**
 * The weekly service as a calendar keeps it.
 * @throws UserError 'not-found' if the schedule is unknown, or there is no service on `date`.
 */
export const getCalendarSeries = operation(calendarRequest, async ({ date }, call): Promise<CalendarSeries> => {
  const series = await readSeries(call)
  if (series === undefined) {
    const todo = 'An administrator can set it at /admin, in the Settings tab.'
    throw new UserError('not-found', `There is no calendar, because the schedule of the services is not set. ${todo}`)
  }
  const { weekday, skippedDates } = series.schedule
  if (date !== undefined && (weekdayOf(date) !== weekday || skippedDates.includes(date)))
    throw new UserError('not-found', `There is no service on ${dayText(date)}. The invitation says when there is one.`)
  return series
})

/** Null while visitors are offered none. `page` is the address of the share page. */
export const getCalendarLinks = operation(
  z.object({ page: z.string() }),
  async ({ page }, call): Promise<CalendarLinks | null> => {
    const { calendarIntegration } = await getFeatures(call)
    const series = calendarIntegration ? await readSeries(call) : undefined
    if (series === undefined) return null
    return { google: googleLink(series, page, call.now), ical: '/calendar.ics', weekday: series.schedule.weekday }
  },
)

/**
 * Undefined if the schedule is only the default and the event's texts are not: a calendar could contradict them.
 */
async function readSeries(call: Call): Promise<CalendarSeries | undefined> {
  // Read the revision first: a concurrent change then appears under the old revision and again under its own, never
  // only under the old one.
  const [version] = await versions.all()
  const [schedule, stored, { name: church }, keyedHash] = await Promise.all([
    readSchedule(),
    getStoredEvent(call),
    getChurch(call),
    readKeyedHash(),
  ])
  const event = stored?.event ?? toPayload(defaultEvent)
  if (version === undefined || isUnscheduled(event, schedule)) return undefined
  const { revision } = version
  // Without a confirmed schedule the past is unknown: the series begins when the event was stored, or now.
  const since = version.since ?? dayIn(schedule.timeZone, revision === 0 ? call.now : new Date(revision * 1000))
  return { id: keyedHash('calendar', 'series'), since, revision, schedule, event, church }
}
