import { getSchedule } from '#db/schedule/operations.ts'
import { findNoService, weekDate, weekWord } from '#db/schedule/services.ts'
import { dayText } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'

/**
 * The day of the service that `--week` names; undefined for all weeks. Where there is no service on a day, it says so and
 * names the nearest ones. That is no error: the responses for a service that has moved since stay where they were.
 * @throws CommandError 'usage' for a word that is no week.
 */
export async function dateOfWeek(word: string, context: Context): Promise<string | undefined> {
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw new CommandError(exitCodes.usage, week.error.issues.map(({ message }) => message).join(' '))
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const found = date === undefined ? undefined : findNoService(date, schedule)
  if (found && !context.quiet) {
    const { text, before, after } = found
    say(`${text} The nearest services are on ${dayText(before)} and ${dayText(after)}.`, context.io)
  }
  return date
}
