import type { Schedule } from './schema.ts'

/** `18:30` becomes `6:30 PM`. */
export function clockText(time: string): string {
  const [hours = 0, minutes = '00'] = [Number(time.slice(0, 2)), time.slice(3)]
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

/** In the order of their numbers. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

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
  const parts = units.map(([size, unit]) => {
    const count = Math.floor(left / size)
    left %= size
    return count > 0 && `${count} ${unit}${count === 1 ? '' : 's'}`
  })
  return parts.filter(Boolean).join(' ')
}

/** From when on RSVPs are for the next service, e.g. `2 hours before it starts`. */
export function closingText(minutesBefore: number | null): string {
  if (minutesBefore === null) return 'when the service ends'
  return minutesBefore === 0 ? 'when the service starts' : `${durationText(minutesBefore)} before the service starts`
}

/** The local time of a moment, `HH:mm`. */
export function timeAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(moment))
}

/** E.g. `10:00 AM to 12:00 PM`. */
export function timesText(service: { startsAt: string; endsAt: string; timeZone: string }): string {
  const [start, end] = [service.startsAt, service.endsAt].map((moment) => clockText(timeAt(moment, service.timeZone)))
  return `${start} to ${end}`
}
