import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getChurch } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent, isUnscheduled } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { operation } from '#db/operation.ts'
import { latestRevision } from '#db/revision.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { schedules } from '#db/schedule/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { dayText, weekdayOf } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { CalendarSeries } from './schema.ts'

/** `date` limits the series to the service of that day. */
const calendarRequest = z.object({ date: z.optional(calendarDay) })

/**
 * The weekly service as a calendar keeps it.
 * @throws UserError 'not-found' while only the event's own texts say when services are, and if there is none on `date`.
 */
export const getCalendarSeries = operation(calendarRequest, async ({ date }, call): Promise<CalendarSeries> => {
  // Read the revision first: a concurrent change then appears under the old revision and again under its own, never
  // only under the old one.
  const [version] = await db
    .select({ revision: latestRevision, since: sql<string | null>`(SELECT ${schedules.since} FROM ${schedules})` })
    .from(sql`(SELECT 1)`)
  const [schedule, stored, { name: church }, keyedHash] = await Promise.all([
    readSchedule(),
    getStoredEvent(call),
    getChurch(call),
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
})
