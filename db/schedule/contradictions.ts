import type { CurrentSchedule, Schedule } from './schema.ts'
import { clockText, weekdayText } from './texts.ts'

/** The event's texts about when the service is. */
export type EventTimes = { date: string; time: string }

/** A text that clearly contradicts the schedule. */
export type Contradiction = {
  text: keyof EventTimes
  /** For an administrator: what contradicts what, and what to do about it. */
  sentence: string
}

/**
 * Finds where the event's texts clearly name another weekday or time than the schedule. A text that names several
 * contradicts it only if none matches; texts that cannot be understood are ignored.
 */
export function findContradictions(event: EventTimes, schedule: Pick<Schedule, 'weekday' | 'startTime'>) {
  return [weekdayContradiction(event, schedule.weekday), timeContradiction(event, schedule.startTime)].filter(
    (found) => found !== undefined,
  )
}

/** Whether the schedule is only the default and the event's texts name another day or time. */
export function isWrongGuess(
  event: EventTimes,
  schedule: Pick<CurrentSchedule, 'weekday' | 'startTime' | 'confirmed'>,
) {
  return !schedule.confirmed && findContradictions(event, schedule).length > 0
}

/**
 * The end of the service, in the style of the event's own text of its time, e.g. `12:00 PM`. Undefined if the schedule
 * is not confirmed, the texts contradict it, or the time is not a single start.
 */
export function endText(event: EventTimes, schedule: Schedule & { confirmed: boolean }): string | undefined {
  if (!schedule.confirmed || !namesOneTime(event.time) || findContradictions(event, schedule).length > 0)
    return undefined
  const end = endTime(schedule)
  const beginning = /\d(?<minutes>:\d\d)?(?<blank>\s?)(?<half>[ap])(?<dot>\.?)\s?m\b/i.exec(event.time)?.groups
  if (beginning === undefined) return event.time.includes(schedule.startTime) ? end : clockText(end)
  const { minutes, blank, half, dot } = beginning
  const [time = '', named = ''] = clockText(end).split(' ')
  const written = dot ? named.replace(/[A-Z]/g, '$&.') : named
  const isSmall = half === half?.toLowerCase()
  return `${minutes ? time : time.replace(':00', '')}${blank}${isSmall ? written.toLowerCase() : written}`
}

/** In local time, `HH:mm`. */
export function endTime({ startTime, durationMinutes }: Pick<Schedule, 'startTime' | 'durationMinutes'>): string {
  const [hours = 0, minutes = 0] = startTime.split(':').map(Number)
  const end = hours * 60 + minutes + durationMinutes
  return [Math.floor(end / 60) % 24, end % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** A weekday, also abbreviated: `Sat`, `Tues.`, `Thurs`. */
const weekday =
  '\\b(?:sun|mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|(?:sun|mon|tues|wednes|thurs|fri|satur)day)s?\\b\\.?'

/** Replaced before weekdays are read, because they contain the name of another one, or are none, e.g. `the sun`. */
const otherNames: [pattern: RegExp, weekdays: string][] = [
  [/\b(?:sabbath|shabbat|saturday) eve\b|\beve of (?:the )?(?:sabbath|shabbat)\b/g, ' friday '],
  [/\b(?:sabbaths?|shabbat|shabbos|(?:seventh|7th)[- ]day)\b/g, ' saturday '],
  [/\b(?:the )?lord['’]?s['’]? day\b|\bfirst day of the week\b/g, ' sunday '],
  [/\bweekends?\b/g, ' saturday sunday '],
  [/\bweekdays?\b/g, ' monday to friday '],
  [/\b(?:daily|every ?day|each day|every evening|every morning|every night|any day)\b/g, ' sunday to saturday '],
  [new RegExp(`\\bthe ${weekday}`, 'g'), 'the '],
]

const weekdayRange = new RegExp(`(${weekday})\\s*(?:[-–—]|to\\b|through\\b|thru\\b)\\s*(${weekday})`, 'g')

/** The weekdays that a text names, from 0 for Sunday. */
function namedWeekdays(text: string): Set<number> {
  const words = otherNames.reduce((rest, [pattern, names]) => rest.replace(pattern, names), text.toLowerCase())
  const ranges = Array.from(words.matchAll(weekdayRange), ([, from = '', to = '']) => daysBetween(from, to))
  const single = Array.from(words.matchAll(new RegExp(weekday, 'g')), ([name]) => numberOf(name))
  return new Set([...ranges.flat(), ...single])
}

const meridiem = `(?: ?[ap]\\.? ?m\\b\\.?|[ap]\\b)`
/** `10:00 AM`, `10am`, `18:30`, `18h30`, `10.30 p.m.`, `7 o'clock`, `noon`. */
const clear = `(?:\\b\\d{1,2}(?:[:h]\\d{2}\\b(?:${meridiem})?|[:.]?(?:\\d{2})?(?:${meridiem}| ?o['’]?clock\\b)|h\\b)|\\bnoon\\b|\\bmidday\\b|\\bmidnight\\b)`
/** A number that may be an hour, or anything else. */
const unclear = '\\b\\d{1,2}(?:\\.\\d{2})?\\b'
const time = `(?:${clear}|${unclear})`

const until = new RegExp(`\\b(?:until|till?|ends?|ending|finish(?:es)?|by|before)(?: (?:at|by))? ${time}`, 'g')
const range = new RegExp(`(${time})\\s*(?:[-–—]|to\\b|through\\b|thru\\b)\\s*${time}`, 'g')

/** The times at which something begins, as minutes after midnight. */
type NamedTimes = {
  /** Those that can only be times. A time without AM or PM counts as two. */
  clear: Set<number>
  /** Includes numbers that may be hours. */
  possible: Set<number>
}

/** The start times in a text, without end times. */
function namedTimes(text: string): NamedTimes {
  const starts = text.toLowerCase().replace(until, ' ').replace(range, '$1 ')
  const onlyHour = /^\s*(?:at )?\d{1,2}\s*$/.test(starts)
  const found = (pattern: string) => new Set(Array.from(starts.matchAll(new RegExp(pattern, 'g')), minutesOf).flat())
  return { clear: found(onlyHour ? time : clear), possible: found(time) }
}

/** Whether a text names a single start time and no other number. */
function namesOneTime(text: string): boolean {
  const numbers = Array.from(text.normalize('NFKC').toLowerCase().matchAll(new RegExp(time, 'g')))
  return numbers.length === 1 && namedTimes(text).clear.size > 0
}

function weekdayContradiction({ date, time }: EventTimes, weekday: number): Contradiction | undefined {
  const inDate = namedWeekdays(assertion(date))
  const inTime = namedWeekdays(assertion(time))
  if (inDate.size + inTime.size === 0 || inDate.has(weekday) || inTime.has(weekday)) return undefined
  const text = inDate.size > 0 ? 'date' : 'time'
  return { text, sentence: sentenceOf(text, 'day', weekdayText(weekday)) }
}

function timeContradiction({ date, time }: EventTimes, startTime: string): Contradiction | undefined {
  const start = Number(startTime.slice(0, 2)) * 60 + Number(startTime.slice(3))
  const inDate = namedTimes(assertion(date))
  const inTime = namedTimes(assertion(time))
  if (inDate.clear.size + inTime.clear.size === 0) return undefined
  // In a date, a number alone is a day or a year.
  if (inDate.clear.has(start) || inTime.possible.has(start)) return undefined
  const text = inTime.clear.size > 0 ? 'time' : 'date'
  return { text, sentence: sentenceOf(text, 'time', clockText(startTime)) }
}

/** Removes negations (`except on Sundays`) and estimates (`around 10`). */
function assertion(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\b(?:except|excluding|but not|not|no|never|without|closed|cancell?ed)\b[^.;\n]*/gi, ' ')
    .replace(/(?:\b(?:about|around|approximately|approx\.?|roughly|circa)|~) ?[^.;,\n]*/gi, ' ')
}

function sentenceOf(text: keyof EventTimes, kind: 'day' | 'time', scheduled: string): string {
  return `The event’s ${text} names another ${kind} than the schedule, which says ${scheduled}. Change the one that is wrong.`
}

function numberOf(name: string): number {
  return weekdays.findIndex((whole) => whole.startsWith(name.slice(0, 3)))
}

function daysBetween(from: string, to: string): number[] {
  const length = (numberOf(to) - numberOf(from) + 7) % 7
  return Array.from({ length: length + 1 }, (_, later) => (numberOf(from) + later) % 7)
}

function minutesOf([text]: RegExpExecArray): number[] {
  if (text === 'noon' || text === 'midday') return [12 * 60]
  if (text === 'midnight') return [0]
  const [, digits = '', minuteDigits = '0', half] = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*([ap](?!\w{2}))?/.exec(text) ?? []
  const hour = Number(digits)
  const minutes = Number(minuteDigits)
  if (hour > 23 || minutes > 59) return []
  if (half === undefined || hour > 12) return hoursMeant(digits).map((one) => one * 60 + minutes)
  return [((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minutes]
}

/** `18` and `08` are on the 24-hour clock; `8` may also be in the evening. */
function hoursMeant(digits: string): number[] {
  const hour = Number(digits)
  if (digits.startsWith('0') || hour > 12) return [hour]
  return [hour, (hour + 12) % 24]
}
