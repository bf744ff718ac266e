import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { dayText, weekdayOf } from '#db/values/calendar-day.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'

/**
 * The day of the service that `--week` names; undefined for all weeks. Where there is no service on a day, it says so, and
 * that is no error: the responses for a service that has moved since stay where they were.
 * @throws CommandError 'usage' for a word that is no week.
 */
export async function dateOfWeek(word: string | undefined, context: Context): Promise<string | undefined> {
  if (word === undefined) return undefined
  // Loaded only when needed: the time zones make up a third of what a list loads at start.
  const { weekDate, weekWord } = await import('#db/schedule/week-date.ts')
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw new CommandError(exitCodes.usage, week.error.issues.map(({ message }) => message).join(' '))
  const { getSchedule } = await import('#db/schedule/operations.ts')
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const remark = date && remarkOn(date, schedule)
  if (remark && !context.quiet) say(remark, context.io)
  return date
}

/** Says which week is printed, where it is read: cron mails whatever a command prints. */
export function sayWeek(date: string | undefined, { quiet, io }: Context): void {
  if (date !== undefined && !quiet && io.stderr.isTTY) say(`For ${dayText(date)}:`, io)
}

function remarkOn(date: string, { weekday, skippedDates }: CurrentSchedule): string | undefined {
  if (skippedDates.includes(date)) return `The service on ${dayText(date)} is skipped.`
  if (weekdayOf(date) === weekday) return undefined
  return `There is no service on ${dayText(date)}: services are on ${weekdayText(weekday)}s.`
}
