import { millisecondsInDay } from 'date-fns/constants'
import { count, isNotNull, lt, min, type SQL, sql } from 'drizzle-orm'
import { operationWithoutInput } from '#db/operation.ts'
import { isNamed } from '#db/rsvp/conditions.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { getSettings } from '#db/settings/operations.ts'
import { db } from '#db/storage/client.ts'
import { isRestorableNoMore, RESTORABLE_DAYS } from './deletion.ts'
import { isOld, keptFrom } from './retention.ts'

/** How many responses are due now. `next`: when the next one is (ISO 8601, UTC), and how many are within a day of it. */
export type Due = { now: number; next: { at: string; count: number } | undefined }

/** The responses to purge, now and next; `anonymize` is undefined while no retention is set. */
export const getDue = operationWithoutInput(async (call): Promise<{ anonymize: Due | undefined; erase: Due }> => {
  const { retentionDays } = await getSettings(call)
  const deletedAt = sql<string>`${rsvps.deletedAt}`
  return {
    anonymize:
      retentionDays === null
        ? undefined
        : await dueOf(keptFrom, isNamed, isOld(retentionDays, call.now), retentionDays),
    erase: await dueOf(deletedAt, isNotNull(rsvps.deletedAt), isRestorableNoMore(call.now), RESTORABLE_DAYS),
  }
})

/** @param since the moment from which `days` count. */
async function dueOf(since: SQL<string>, concerned: SQL, isDue: SQL, days: number): Promise<Due> {
  const later = sql`${concerned} AND NOT ${isDue}`
  const [[due], [first]] = await Promise.all([
    db.select({ count: count() }).from(rsvps).where(isDue),
    db
      .select({ since: min(since) })
      .from(rsvps)
      .where(later),
  ])
  if (!first?.since) return { now: due?.count ?? 0, next: undefined }
  const dayLater = new Date(Date.parse(first.since) + millisecondsInDay).toISOString()
  const [together] = await db
    .select({ count: count() })
    .from(rsvps)
    .where(sql`${later} AND ${lt(since, dayLater)}`)
  const at = new Date(Date.parse(first.since) + days * millisecondsInDay).toISOString()
  return { now: due?.count ?? 0, next: { at, count: together?.count ?? 0 } }
}
