import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { counted } from '../../output/counted.ts'
import { printJson, say } from '../../output/output.ts'
import { listContradictions } from '../../schedule/contradictions.ts'
import { scheduleSentence } from '../../schedule/schedule-output.ts'
import { closingIn, durationIn, timeIn, weekdayIn, zoneIn } from '../../schedule/words.ts'

type Options = {
  weekday?: string
  start?: string
  duration?: string
  timeZone?: string
  closes?: string
  json?: true
}

/** Changes what is given of the schedule, and confirms the rest. */
export async function run(options: Options, { call, quiet, io }: Context): Promise<void> {
  const changed = await changeSchedule(changeOf(options), call)
  const { movedRsvps, skippedRsvps: _, movedSkippedDates, ...schedule } = changed
  if (!quiet) {
    say(scheduleSentence(schedule), io)
    if (movedRsvps > 0) say(`${counted(movedRsvps, 'response')} moved along to the new day.`, io)
    if (movedSkippedDates > 0)
      say(`${counted(movedSkippedDates, 'skipped date')} moved along too: see \`rsvp schedule show\`.`, io)
    for (const sentence of await listContradictions(schedule, call)) say(sentence, io)
  }
  if (options.json) await printJson(changed, io)
}

/** @throws CommandError 'usage' for what is not understood, and where nothing is given. */
function changeOf({ weekday, start, duration, timeZone, closes }: Options): Partial<Schedule> {
  const change = {
    ...(weekday !== undefined && { weekday: weekdayIn(weekday) }),
    ...(start !== undefined && { startTime: timeIn(start) }),
    ...(duration !== undefined && { durationMinutes: durationIn(duration) }),
    ...(timeZone !== undefined && { timeZone: zoneIn(timeZone) }),
    ...(closes !== undefined && { closesMinutesBefore: closingIn(closes) }),
  }
  if (Object.keys(change).length > 0) return change
  throw new CommandError(exitCodes.usage, 'Say what to set, e.g. `rsvp schedule set --weekday saturday --start 10:00`.')
}
