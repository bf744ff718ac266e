import { dayText, numberText, weekdayName } from './dates.ts'
import { t } from './texts.ts'

// Texts that only administrators read, in the current language.

/** Why there is no service on the chosen day. */
export function noServiceText({ date, skipped, weekday }: { date: string; skipped: boolean; weekday: number }): string {
  const day = dayText(date)
  if (skipped) return t('The service on {day} is skipped.', { day })
  return t('There is no service on {day}: services are on {weekday}s.', { day, weekday: weekdayName(weekday) })
}

/** E.g. `2 of 1, 1 more than needed`; undefined if there are not more than needed. */
export function excessText(people: number, needed: number | null = null): string | undefined {
  if (needed === null || people <= needed) return undefined
  const counts = { people: numberText(people), needed: numberText(needed), more: numberText(people - needed) }
  return t('{people} of {needed}, {more} more than needed', counts)
}
