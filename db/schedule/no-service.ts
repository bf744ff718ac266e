import { addDays, dayText, weekdayOf } from '#db/values/dates.ts'
import type { CurrentSchedule } from './schema.ts'
import { weekdayText } from './texts.ts'

/** Why there is no service on a day, as a sentence, and the days of the services before and after it. */
export type NoService = { text: string; before: string; after: string }

/** Undefined where the schedule has a service on that day, or where it was the last one that was held. */
export function findNoService(
  date: string,
  { weekday, skippedDates, lastService }: Pick<CurrentSchedule, 'weekday' | 'skippedDates' | 'lastService'>,
): NoService | undefined {
  const isSkipped = skippedDates.includes(date)
  const daysToService = (weekday - weekdayOf(date) + 7) % 7
  if ((daysToService === 0 && !isSkipped) || date === lastService) return undefined
  const held = (from: string, days: number) => {
    let day = from
    while (skippedDates.includes(day)) day = addDays(day, days)
    return day
  }
  return {
    text: isSkipped
      ? `The service on ${dayText(date)} is skipped.`
      : `There is no service on ${dayText(date)}: services are on ${weekdayText(weekday)}s.`,
    before: held(addDays(date, daysToService - 7), -7),
    after: held(addDays(date, daysToService), 7),
  }
}
