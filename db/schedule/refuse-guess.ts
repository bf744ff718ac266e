import { UserError } from '#db/errors.ts'
import type { Schedule } from './schema.ts'
import { startText, weekdayText } from './texts.ts'

/**
 * Whoever names a day to be skipped has not said that the rest of the guess is right.
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
    `When services are is only a guess so far: ${startText(schedule)}. ` +
      `Set it first, e.g. with \`rsvp schedule ${options.join(' ')}\`.`,
  )
}
