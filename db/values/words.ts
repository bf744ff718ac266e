import { dayText, isDay, waitText } from './dates.ts'

/** What may stand in a refusal: a day as `2026-11-21`, how long to wait in seconds, and roles by their names. */
export type Value = string | number | readonly string[]
export type Values = Readonly<Record<string, Value>>

/** A value of a refusal in words. @param named translates the names of roles, and `this week`. */
export function valueText(name: string, value: Value, locale = 'en-US', named = (text: string) => text): string {
  if (name === 'wait') return waitText(Number(value), locale)
  if (typeof value === 'number') return value.toLocaleString(locale)
  if (typeof value !== 'string') return new Intl.ListFormat(locale).format(value.map(named))
  if (/^(day|next|when)$/.test(name) && isDay(value)) return dayText(value, locale)
  return /^(role|when)$/.test(name) ? named(value) : value
}
