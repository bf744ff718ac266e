import type { Call } from '#db/operation.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { weekDate } from '#db/schedule/services.ts'
import { changeTurnout, getTurnout } from '#db/turnout/operations.ts'
import { fullDayText } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { dayIn } from '#db/values/time-zone.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { printJson, say } from '../output/output.ts'

/** Stores how many people really came to a service, or removes that. */
export async function run(
  word: string,
  people: number | 'none',
  { json }: { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  const date = await dateOf(word, people, call)
  const before = await getTurnout({ date }, call)
  const after = await changeTurnout({ date, turnout: people === 'none' ? null : people }, call)
  if (!quiet) say(changedText(date, before?.people ?? null, after.turnout), io)
  if (json) await printJson(after, io)
}

/** @throws CommandError 'usage' for a word that names no service, or one at which no one can have been counted yet. */
async function dateOf(word: string, people: number | 'none', call: Call): Promise<string> {
  const week = word.toLowerCase()
  if (week === 'this' || week === 'last') {
    const schedule = await getSchedule(call)
    const date = weekDate(week, schedule, call.now) ?? word
    if (week === 'last' || people === 'none' || date <= dayIn(schedule.timeZone, call.now)) return date
    // Whoever has just counted calls the service that is over this week's.
    throw new CommandError(
      exitCodes.usage,
      `This week's service is on ${fullDayText(date)} and still to come. Use last for the one on ${fullDayText(schedule.lastService)}.`,
    )
  }
  if (calendarDay.safeParse(word).success) return word
  throw new CommandError(
    exitCodes.usage,
    `${JSON.stringify(word)} is not a service. Give this, last, or the day of one, e.g. 2026-11-21.`,
  )
}

function changedText(date: string, before: number | null, after: number | null): string {
  const day = fullDayText(date)
  if (after === null) return before === null ? `${day} has no turnout.` : `The turnout of ${day} is removed: ${before}.`
  const came = `${counted(after, 'person', 'people')} came on ${day}.`
  return before === null || before === after ? came : `${came} Before, the number was ${before}.`
}
