import { clockText } from './clock-text.ts'
import type { Schedule } from './schema.ts'

// The schedule in words.

/** In the order of their numbers. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** E.g. `Saturday`. */
export function weekdayText(weekday: number): string {
  return weekdayNames[weekday] ?? ''
}

/** E.g. `Saturdays at 10:00 AM (America/Chicago)`. */
export function startText({ weekday, startTime, timeZone }: Schedule): string {
  return `${weekdayText(weekday)}s at ${clockText(startTime)} (${timeZone})`
}

const units = [
  [24 * 60, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const

/** E.g. `1 hour 30 minutes`. */
export function durationText(minutes: number): string {
  let left = minutes
  const parts: string[] = []
  for (const [size, unit] of units) {
    const count = Math.floor(left / size)
    left %= size
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.join(' ')
}

/** When RSVPs are for the next service from then on, e.g. `2 hours before it starts`. */
export function closingText(minutesBefore: number | null): string {
  if (minutesBefore === null) return 'when the service ends'
  return minutesBefore === 0 ? 'when the service starts' : `${durationText(minutesBefore)} before the service starts`
}
