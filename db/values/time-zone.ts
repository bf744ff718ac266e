import { TZDate, tzOffset } from '@date-fns/tz'
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { lightFormat } from 'date-fns/lightFormat'

/** The day of a moment, e.g. `2026-11-21`. */
export function dayIn(zone: string, moment: Date): string {
  return lightFormat(new TZDate(moment, zone), 'yyyy-MM-dd')
}

/**
 * The moment at which clocks in a zone show a time, e.g. `2026-11-21` and `10:30`: the first such moment if they show it
 * twice, that much later if they skip it.
 */
export function momentOf(zone: string, day: string, time: string): Date {
  const shown = Date.parse(`${day}T${time}Z`)
  const at = (offset: number) => new Date(shown - offset * millisecondsInMinute)
  // Clocks are never set twice within two days.
  const before = tzOffset(zone, new Date(shown - millisecondsInDay))
  const after = tzOffset(zone, new Date(shown + millisecondsInDay))
  const isShownAfter = tzOffset(zone, at(before)) !== before && tzOffset(zone, at(after)) === after
  return at(isShownAfter ? after : before)
}

/** The moment so many times 24 hours before another, as ISO 8601 in UTC; `days` may be negative. */
export function daysBefore(moment: Date | string, days: number): string {
  return new Date(new Date(moment).getTime() - days * millisecondsInDay).toISOString()
}
