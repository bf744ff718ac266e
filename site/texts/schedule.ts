import { millisecondsInDay } from 'date-fns/constants'
import { weekdayOf } from '#db/values/dates.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { comma, dayText, formatTime, weekdayName } from './dates.ts'
import { capitalized, locale, plural, t } from './texts.ts'

// The schedule and its weeks in words, in the current language. db has them in English.

/** E.g. `6:30 PM` for `18:30`. */
export function clockText(time: string): string {
  return formatTime(`2000-01-01T${time}Z`, 'UTC')
}

/** E.g. `Saturdays at 10:00 AM (America/Chicago)`. */
export function startText({ weekday, startTime, timeZone }: Schedule): string {
  const values = { weekday: weekdayName(weekday), time: clockText(startTime), zone: timeZone }
  return t('{weekday}s at {time} ({zone})', values)
}

/** E.g. `10:00 AM to 12:00 PM`. */
export function timesText({ startsAt, endsAt, timeZone }: { startsAt: string; endsAt: string; timeZone: string }) {
  return t('{start} to {end}', { start: formatTime(startsAt, timeZone), end: formatTime(endsAt, timeZone) })
}

/** E.g. `See you Saturday at 10:00 AM`; without the day if visitors are not shown days. */
export function farewellText(day: string | undefined, time: string | undefined): string {
  if (!day || !time) return t('See you there')
  return t('See you {weekday} at {time}', { weekday: weekdayName(weekdayOf(day)), time })
}

/** E.g. `1 hour 30 minutes`. */
function durationText(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  return [
    ...(days > 0 ? [plural(days, '{count} day', '{count} days')] : []),
    ...(hours > 0 ? [plural(hours, '{count} hour', '{count} hours')] : []),
    ...(minutes % 60 > 0 ? [plural(minutes % 60, '{count} minute', '{count} minutes')] : []),
  ].join(' ')
}

/** When a service closes for RSVPs, e.g. `2 hours before the service starts`. */
export function closingText(minutesBefore: number | null): string {
  if (minutesBefore === null) return t('when the service ends')
  if (minutesBefore === 0) return t('when the service starts')
  return t('{duration} before the service starts', { duration: durationText(minutesBefore) })
}

/**
 * The name of a service's week, alone and within a sentence; undefined for a week without a name. On the day of a
 * service, the next service is not "this week".
 */
export function weekName(day: string, today: string): { alone: string; within: string } | undefined {
  const days = daysBetween(today, day)
  if (days === 0) return { alone: t('Today'), within: t('today') }
  if (days > 0 && days < 7) return { alone: t('This week'), within: t('this week') }
  if (days >= 7 && days < 14) return { alone: t('Next week'), within: t('next week') }
  if (days < 0 && days >= -7) return { alone: t('Last week'), within: t('last week') }
  return undefined
}

/** The day of a coming service: `Today, Saturday, November 28`, `This Saturday, …` within a week, else only the date. */
export function comingDayText(day: string, today: string): string {
  const days = daysBetween(today, day)
  // No line break between the number of the day and the month.
  const text = dayText(day).replace(/(?<=\d\S*|\bde) | (?=\d+$)/g, '\u00a0')
  if (days === 0) return t('Today') + comma() + text
  return capitalized(days < 7 ? t('This {day}', { day: text }) : text)
}

/** E.g. `tomorrow`, `in 6 days` or `in two weeks`. */
export function distanceText(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 14) return t('in two weeks')
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  return days > 14 && days % 7 === 0 ? format.format(days / 7, 'week') : format.format(days, 'day')
}

function daysBetween(one: string, other: string): number {
  return (Date.parse(other) - Date.parse(one)) / millisecondsInDay
}
