import type { Schedule } from '#db/schedule/schema.ts'
import { weekdayText } from '#db/schedule/texts.ts'
import { addDays, dayText, weekdayOf } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

/**
 * Parses days of the calendar, each once.
 * @throws CommandError 'usage' that names the first word that is none.
 */
export function daysIn(words: string[]): string[] {
  const wrong = words.find((word) => !calendarDay.safeParse(word).success)
  if (wrong === undefined) return Array.from(new Set(words))
  throw new CommandError(exitCodes.usage, `${JSON.stringify(wrong)} is not a day. Give one, e.g. 2026-11-21.`)
}

/**
 * The same for days on which the schedule has a service.
 * @throws CommandError 'usage' that names the first one on another weekday, and the services around it.
 */
export function serviceDaysIn(words: string[], { weekday }: Schedule): string[] {
  const days = daysIn(words)
  const wrong = days.find((day) => weekdayOf(day) !== weekday)
  if (wrong === undefined) return days
  const next = addDays(wrong, (weekday - weekdayOf(wrong) + 7) % 7)
  throw new CommandError(
    exitCodes.usage,
    `${dayText(wrong)} has no service: services are on ${weekdayText(weekday)}s, e.g. ${addDays(next, -7)} or ${next}.`,
  )
}
