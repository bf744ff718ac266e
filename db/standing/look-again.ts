import { gt } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { scheduledService } from '#db/schedule/services.ts'
import type { Transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { standingRsvps } from './table.ts'

/**
 * Looks again at the services from this week's on, in the transaction of a change of the schedule, or of one by which
 * roles may have room: `writeStandingRsvps` then writes what is missing.
 */
export async function lookAgain(tx: Transaction, { now }: Call): Promise<void> {
  const dayBefore = addDays(scheduledService(await readSchedule(), now).date, -1)
  await tx.update(standingRsvps).set({ writtenUntil: dayBefore }).where(gt(standingRsvps.writtenUntil, dayBefore))
}
