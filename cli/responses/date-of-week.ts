import { getSchedule } from '#db/schedule/operations.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { weekDate, weekWord } from '#db/schedule/week-date.ts'
import { dayText, weekdayOf } from '#db/values/calendar-day.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'

/**
 * The day of the service that `--week` names; undefined for all weeks. Where there is no service on a day, it says so, and
 * that is no error: the responses for a service that has moved since stay where they were.
 * @throws CommandError 'usage' for a word that is no week.
 */
export async function dateOfWeek(word: string, context: Context): Promise<string | undefined> {
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw new CommandError(exitCodes.usage, week.error.issues.map(({ message }) => message).join(' '))
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const remark = date && remarkOn(date, schedule)
  if (remark && !context.quiet) say(remark, context.io)
  return date
}

function remarkOn(date: string, { weekday, skippedDates }: CurrentSchedule): string | undefined {
  if (skippedDates.includes(date)) return `The service on ${dayText(date)} is skipped.`
  if (weekdayOf(date) === weekday) return undefined
  return `There is no service on ${dayText(date)}: services are on ${weekdayText(weekday)}s.`
}
