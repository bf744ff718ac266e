import { UserError } from '#db/errors.ts'
import { operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import type { Transaction } from '#db/storage/client.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { readSchedule } from './read-schedule.ts'
import type { CurrentSchedule, Schedule, StoredSchedule } from './schema.ts'
import { lastServiceDay, offeredServices, scheduledService } from './services.ts'
import { schedules } from './table.ts'
import { startText, weekdayText } from './texts.ts'

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
  change: Partial<Schedule> = {},
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

/**
 * Skipping a day does not confirm the rest of the default schedule.
 * @throws UserError 'configuration' while no administrator has confirmed the schedule.
 */
export function refuseGuess(schedule: Schedule & { confirmed: boolean }): void {
  if (schedule.confirmed) return
  const { weekday, startTime, timeZone } = schedule
  const options = `--weekday ${weekdayText(weekday).toLowerCase()} --start ${startTime} --time-zone ${timeZone}`
  throw new UserError(
    'configuration',
    `The schedule is only a guess so far: ${startText(schedule)}. ` +
      `Set it first, e.g. with \`rsvp schedule ${options}\`.`,
  )
}
