import { eq } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { fieldError, UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { dayText } from '#db/values/dates.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { readSchedule } from './read-schedule.ts'
import {
  type CurrentSchedule,
  type Schedule,
  SKIPPED_DATES_MAXIMUM,
  type StoredSchedule,
  serviceDay,
  tooManyDates,
} from './schema.ts'
import { lastServiceDay, offeredServices } from './services.ts'
import { schedules, skippedDates } from './table.ts'
import { startText, weekdayText } from './texts.ts'

export const getSchedule = operationWithoutInput(async ({ now }): Promise<CurrentSchedule> => currentSchedule(now))

/**
 * Skips a service. Its RSVPs stay.
 * @throws UserError 'invalid' if too many are skipped already; also as `refuseGuess` does.
 */
export const skipService = operation(serviceDay, ({ date }, call) =>
  changeDates(`skipped ${date}`, call, async (tx, before) => {
    if (before.skippedDates.length >= SKIPPED_DATES_MAXIMUM && !before.skippedDates.includes(date))
      throw fieldError('date', tooManyDates)
    await tx.insert(skippedDates).values({ date }).onConflictDoNothing()
  }),
)

/**
 * Holds a skipped service after all.
 * @throws UserError 'not-found' if it is not skipped; also as `refuseGuess` does.
 */
export const unskipService = operation(serviceDay, ({ date }, call) =>
  changeDates(`unskipped ${date}`, call, async (tx, before) => {
    if (!before.skippedDates.includes(date))
      throw new UserError('not-found', `The service on ${dayText(date)} is not skipped.`)
    await tx.delete(skippedDates).where(eq(skippedDates.date, date))
  }),
)

async function changeDates(
  what: string,
  call: Call,
  change: (tx: Transaction, before: StoredSchedule) => Promise<void>,
): Promise<CurrentSchedule> {
  await transaction(async (tx) => {
    const before = await readSchedule()
    refuseGuess(before)
    await change(tx, before)
    await storeSchedule(tx, before, call.now)
    await audit(tx, call, 'schedule changed', what)
  })
  return currentSchedule(call.now)
}

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
  const {
    confirmed: _,
    skippedDates: __,
    previousService: ___,
    uncountedService: ____,
    ...times
  } = { ...before, ...change }
  const revision = nextRevision(now)
  const since = dayIn(times.timeZone, now)
  const begins = (['weekday', 'startTime', 'timeZone'] as const).some((name) => times[name] !== before[name])
  await tx
    .insert(schedules)
    .values({ ...times, since, revision })
    .onConflictDoUpdate({
      target: schedules.id,
      set: { ...change, ...(begins && { since, previousService: lastServiceDay(before, now) }), revision },
    })
}

/**
 * Skipping a day does not confirm the rest of the default schedule.
 * @throws UserError 'configuration' while no administrator has confirmed the schedule.
 */
export function refuseGuess(schedule: Schedule & { confirmed: boolean }): void {
  if (schedule.confirmed) return
  const options = [
    `--weekday ${weekdayText(schedule.weekday).toLowerCase()}`,
    `--start ${schedule.startTime}`,
    `--time-zone ${schedule.timeZone}`,
  ]
  throw new UserError(
    'configuration',
    `The schedule is only a guess so far: ${startText(schedule)}. ` +
      `Set it first, e.g. with \`rsvp schedule ${options.join(' ')}\`.`,
  )
}
