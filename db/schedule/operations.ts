import { operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import type { Transaction } from '#db/storage/client.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { readSchedule } from './read-schedule.ts'
import type { CurrentSchedule, Schedule, StoredSchedule } from './schema.ts'
import { lastServiceDay, offeredServices, scheduledService } from './services.ts'
import { schedules } from './table.ts'

export const getSchedule = operationWithoutInput(async ({ now }): Promise<CurrentSchedule> => currentSchedule(now))

export async function currentSchedule(now: Date): Promise<CurrentSchedule> {
  const stored = await readSchedule()
  const { since: _, previousService: __, uncountedService: ___, ...schedule } = stored
  return { ...schedule, lastService: lastServiceDay(stored, now), services: offeredServices(schedule, now) }
}

/** Stores the change of the schedule, or the whole schedule if there was only the default. */
export async function storeSchedule(
  tx: Transaction,
  before: StoredSchedule,
  now: Date,
  change: Partial<Schedule>,
): Promise<void> {
  const after = { ...before, ...change }
  const revision = nextRevision(now)
  const begins = (['weekday', 'startTime', 'timeZone'] as const).some((name) => after[name] !== before[name])
  await tx
    .insert(schedules)
    .values({ ...after, since: dayIn(after.timeZone, now), revision })
    .onConflictDoUpdate({
      target: schedules.id,
      set: {
        ...change,
        // Today it may be too late for one.
        ...(begins && { since: scheduledService(after, now).date, previousService: lastServiceDay(before, now) }),
        revision,
      },
    })
}
