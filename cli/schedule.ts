import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import type { Call } from '#db/operation.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import type { CurrentSchedule, Schedule } from '#db/schedule/schema.ts'
import { closingText, durationText, startText, weekdayNames } from '#db/schedule/texts.ts'
import { isTimeZone } from '#db/values/dates.ts'
import { usageError } from './exit-code.ts'

// Parsers of what people type for a schedule. All throw a CommandError 'usage' that says what would be understood.

/** `saturday`, `Saturdays` or `sat`, as a number from 0 for Sunday. */
export function weekdayIn(word: string): number {
  const typed = word.trim().toLowerCase().replace(/\.$/, '')
  const meant = weekdayNames.flatMap((name, weekday) => (`${name.toLowerCase()}s`.startsWith(typed) ? [weekday] : []))
  const [weekday, ...others] = typed.length < 2 ? [] : meant
  if (weekday !== undefined && others.length === 0) return weekday
  throw usageError(`${JSON.stringify(word)} is not a weekday. Give one, e.g. saturday.`)
}

/** `10:00`, `9:30`, `6:30 PM` or `6pm`, as `HH:mm`. Without AM or PM the day has 24 hours. */
export function timeIn(word: string): string {
  const typed = /^(\d{1,2})(?:[:.](\d\d))?\s*(?:([ap])\.?m\.?)?$/i.exec(word.trim())
  const [, hours = '', minutes = '00', half] = typed ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  // `10` alone could be in the morning or in the evening.
  const isClear = half !== undefined || typed?.[2] !== undefined
  const isThere = hour < 24 && Number(minutes) < 60 && (half === undefined || (hours !== '0' && Number(hours) <= 12))
  if (typed !== null && isClear && isThere) return `${String(hour).padStart(2, '0')}:${minutes}`
  throw usageError(`${JSON.stringify(word)} is not a time. Give one, e.g. 10:00 or "6:30 PM".`)
}

/** `90`, `90m`, `2h` or `1h30`, in minutes. */
export function durationIn(word: string): number {
  const minutes = minutesIn(word)
  if (minutes !== undefined) return minutes
  throw usageError(`${JSON.stringify(word)} is not a length. Give minutes, e.g. 90, or hours, e.g. 2h or 1h30.`)
}

/** `2h`, `30m` or `1d` before the start, in minutes; `none` is null. */
export function closingIn(word: string): number | null {
  if (word.trim().toLowerCase() === 'none') return null
  // A bare number could mean hours.
  const minutes = /^[1-9]\d*$/.test(word.trim()) ? undefined : minutesIn(word)
  if (minutes !== undefined) return minutes
  throw usageError(
    `${JSON.stringify(word)} is not a time before the start. Give one, e.g. 2h, 30m or 1d, or none for the end.`,
  )
}

/** The name of a time zone, in any capitalization. */
export function zoneIn(word: string): string {
  const typed = word.trim()
  const zones = Intl.supportedValuesOf('timeZone')
  const known = zones.find((name) => name.toLowerCase() === typed.toLowerCase())
  if (known !== undefined || isTimeZone(typed)) return known ?? typed
  const place = typed.toLowerCase().replace(/\s+/g, '_')
  const near = place.length < 3 ? [] : zones.filter((name) => name.toLowerCase().includes(place)).slice(0, 3)
  const hint = near.length === 0 ? 'Give the name of one, e.g. America/Chicago.' : `Did you mean ${near.join(' or ')}?`
  throw usageError(`${JSON.stringify(word)} is not a time zone. ${hint}`)
}

function minutesIn(word: string): number | undefined {
  const typed = word
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/(d|h|m)(ays?|ours?|rs?|in(ute)?s?)(?=\d|$)/g, '$1')
  const [, days, hours, minutes] = /^(?=\d)(?:(\d{1,2})d)?(?:(\d{1,3})h)?(?:(\d{1,5})m?)?$/.exec(typed) ?? []
  if (days === undefined && hours === undefined && minutes === undefined) return undefined
  return Number(days ?? 0) * 24 * 60 + Number(hours ?? 0) * 60 + Number(minutes ?? 0)
}

export function scheduleSentence(schedule: CurrentSchedule): string {
  const { durationMinutes, closesMinutesBefore } = schedule
  return `Services are on ${startText(schedule)}, ${durationText(durationMinutes)} long. RSVPs close ${closingText(closesMinutesBefore)}.`
}

/** Sentences about texts of the event that contradict the schedule. */
export async function listContradictions(schedule: Schedule, call: Call): Promise<string[]> {
  const event = (await getEvent(call)) ?? defaultEvent
  return findContradictions(event, schedule).map(({ sentence }) => sentence)
}
