import { and, asc, eq, inArray } from 'drizzle-orm'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { db, type Reader, transaction } from '#db/storage/client.ts'
import { isLive, oneOf } from './conditions.ts'
import { rsvps, UNSTAMPED } from './table.ts'

/** How many RSVPs there are for the services on some days. */
export async function countForServices(dates: string[], from: Reader = db): Promise<number> {
  return from.$count(rsvps, and(isLive, inArray(rsvps.serviceDate, dates)))
}

/** How many RSVPs one write stamps: a running site replies to others between two of them. */
const STAMPED_AT_ONCE = 1000

/**
 * Stamps the RSVPs that have no service date with the service that they were for when they came: those of versions
 * without service dates, and those that came before the schedule was set.
 */
export async function stampServiceDates(): Promise<void> {
  const isUnstamped = eq(rsvps.serviceDate, UNSTAMPED)
  while ((await db.$count(rsvps, isUnstamped)) > 0) {
    await transaction(async (tx) => {
      const unstamped = await tx
        .select({ id: rsvps.id, createdAt: rsvps.createdAt })
        .from(rsvps)
        .where(isUnstamped)
        .orderBy(asc(rsvps.id))
        .limit(STAMPED_AT_ONCE)
      const services = groupByService(unstamped, await readSchedule())
      for (const [date, sent] of services)
        await tx
          .update(rsvps)
          .set({ serviceDate: date })
          .where(oneOf(sent.map(({ id }) => id)))
    })
  }
}

/** RSVPs of one week follow each other nearly always, so that few services are looked for. */
function groupByService(unstamped: { id: number; createdAt: string }[], schedule: Schedule) {
  let known = { from: '', until: '', date: '' }
  return Map.groupBy(unstamped, ({ createdAt }) => {
    if (createdAt < known.from || createdAt >= known.until) {
      const { date, closesAt } = nextService(schedule, momentOrNever(createdAt))
      known = { from: createdAt, until: closesAt, date }
    }
    return known.date
  })
}

/** Another program can have stored something else than a moment. */
function momentOrNever(text: string): Date {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? new Date(0) : moment
}
