import { clockText } from './clock-text.ts'

/** The time of a moment on the clock of a time zone, `HH:mm`. */
export function timeAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(moment))
}

/** From when to when, as people read it, e.g. `10:00 AM to 12:00 PM`. */
export function timesText(service: { startsAt: string; endsAt: string; timeZone: string }): string {
  const [start, end] = [service.startsAt, service.endsAt].map((moment) => clockText(timeAt(moment, service.timeZone)))
  return `${start} to ${end}`
}
