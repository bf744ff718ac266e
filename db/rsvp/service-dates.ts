import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { schedules } from '#db/schedule/table.ts'
import { db } from '#db/storage/client.ts'
import { isLive } from './conditions.ts'
import { rsvps, UNSTAMPED } from './table.ts'

/** How many RSVPs there are for the services on some days. */
export async function countForServices(dates: string[]): Promise<number> {
  return db.$count(rsvps, and(isLive, inArray(rsvps.serviceDate, dates)))
}

/**
 * Not where the service was moved to another day of the week since the schedule was read: its RSVPs have moved already. Those
 * for services before that have not.
 */
function isOnServiceDay(date: SQL): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${schedules} WHERE ${schedules.weekday} <> CAST(strftime('%w', ${date}) AS INTEGER)
    AND ${date} > coalesce(${schedules.previousService}, ''))`
}

/** How many RSVPs one write stamps: a running site replies to others between two of them. */
const STAMPED_AT_ONCE = 1000

/**
 * Stamps the RSVPs that have no service date with the service that they were for when they came: those of versions
 * without service dates, and those that came before the schedule was set.
 */
export async function stampServiceDates(): Promise<void> {
  for (;;) {
    const schedule = await readSchedule()
    const unstamped = await db
      .select({ id: rsvps.id, createdAt: rsvps.createdAt })
      .from(rsvps)
      .where(eq(rsvps.serviceDate, UNSTAMPED))
      .orderBy(asc(rsvps.id))
      .limit(STAMPED_AT_ONCE)
    if (unstamped.length === 0) return
    await db.batch([stamp(datesOf(unstamped, schedule))])
  }
}

function stamp(dates: [id: number, date: string][]) {
  const stamps = sql`json_each(${JSON.stringify(dates)}) AS stamp`
  // The plus keeps SQLite from its index: it would compare each unstamped RSVP with each stamp.
  const isItsOwn = sql`${rsvps.id} = stamp.value ->> 0 AND +${rsvps.serviceDate} = ${UNSTAMPED}`
  const date = sql`stamp.value ->> 1`
  return db
    .update(rsvps)
    .set({ serviceDate: date })
    .from(stamps)
    .where(and(isItsOwn, isOnServiceDay(date)))
}

/** RSVPs of one week follow each other nearly always, so that few services are looked for. */
function datesOf(unstamped: { id: number; createdAt: string }[], schedule: Schedule): [id: number, date: string][] {
  let known = { from: '', until: '', date: '' }
  return unstamped.map(({ id, createdAt }) => {
    if (createdAt < known.from || createdAt >= known.until) {
      const { date, closesAt } = nextService(schedule, momentOrNever(createdAt))
      known = { from: createdAt, until: closesAt, date }
    }
    return [id, known.date]
  })
}

/** Another program can have stored something else than a moment. */
function momentOrNever(text: string): Date {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? new Date(0) : moment
}
