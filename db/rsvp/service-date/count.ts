import { and, sql } from 'drizzle-orm'
import { isLive } from '#db/rsvp/conditions.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'

/** Counts the RSVPs for the services on some days. */
export function countForServices(dates: string[]) {
  const isForOne = sql`${rsvps.serviceDate} IN (SELECT value FROM json_each(${JSON.stringify(dates)}))`
  return db.select({ count: sql<number>`count(*)` }).from(rsvps).where(and(isLive, isForOne))
}
