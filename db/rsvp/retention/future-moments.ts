import { millisecondsInDay } from 'date-fns/constants'
import { or, sql } from 'drizzle-orm'
import { operationWithoutInput } from '#db/operation.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { keptFrom } from './retention.ts'

/**
 * Starts the retention of responses that were stored or deleted under a clock that was ahead now. Otherwise they would be
 * anonymized or erased years too late. Call it only while the clock is trusted.
 */
export const correctFutureMoments = operationWithoutInput(async ({ now }): Promise<void> => {
  const moment = now.toISOString()
  const tomorrow = new Date(now.getTime() + millisecondsInDay).toISOString()
  const keptTooLong = sql`${keptFrom} > ${tomorrow}`
  const deletedLater = sql`${rsvps.deletedAt} > ${tomorrow}`
  const [found] = await db.select({ id: rsvps.id }).from(rsvps).where(or(keptTooLong, deletedLater)).limit(1)
  if (found === undefined) return
  await db.batch([
    db.update(rsvps).set({ keptFrom: moment }).where(keptTooLong),
    // A withdrawn RSVP stays one: see `momentOfWithdrawal`.
    db
      .update(rsvps)
      .set({
        deletedAt: moment,
        changedAt: sql`iif(${rsvps.changedAt} = ${rsvps.deletedAt}, ${moment}, ${rsvps.changedAt})`,
      })
      .where(deletedLater),
  ])
})
