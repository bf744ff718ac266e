import type { Schedule } from '#db/schedule/schema.ts'
import { formatTime, weekdayName } from './dates.ts'
import { plural } from './plural.ts'
import { t } from './texts.ts'

/** The schedule in words, in the language that is spoken: db says the same in English. */

/** A time as people read it: `18:30` is `6:30 PM`. */
export function clockText(time: string): string {
  return formatTime(`2000-01-01T${time}Z`, 'UTC')
}

/** E.g. `Saturdays at 10:00 AM (America/Chicago)`. */
export function startText({ weekday, startTime, timeZone }: Schedule): string {
  const values = { weekday: weekdayName(weekday), time: clockText(startTime), zone: timeZone }
  return t('{weekday}s at {time} ({zone})', values)
}

/** From when to when, e.g. `10:00 AM to 12:00 PM`. */
export function timesText({ startsAt, endsAt, timeZone }: { startsAt: string; endsAt: string; timeZone: string }) {
  return t('{start} to {end}', { start: formatTime(startsAt, timeZone), end: formatTime(endsAt, timeZone) })
}

/** E.g. `1 hour 30 minutes`. */
export function durationText(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  return [
    ...(days > 0 ? [plural(days, '{count} day', '{count} days')] : []),
    ...(hours > 0 ? [plural(hours, '{count} hour', '{count} hours')] : []),
    ...(minutes % 60 > 0 ? [plural(minutes % 60, '{count} minute', '{count} minutes')] : []),
  ].join(' ')
}

/** When RSVPs are for the next service from then on, e.g. `2 hours before the service starts`. */
export function closingText(minutesBefore: number | null): string {
  if (minutesBefore === null) return t('when the service ends')
  if (minutesBefore === 0) return t('when the service starts')
  return t('{duration} before the service starts', { duration: durationText(minutesBefore) })
}
