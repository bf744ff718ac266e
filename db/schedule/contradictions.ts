import { clockText } from './clock-text.ts'
import { namedWeekdays } from './named-days.ts'
import { namedTimes } from './named-times.ts'
import type { Schedule } from './schema.ts'
import { weekdayText } from './texts.ts'

/** What the event's texts say of when the service is. */
export type EventTimes = { date: string; time: string }

/** A text that clearly says something else than the schedule. */
export type Contradiction = {
  text: keyof EventTimes
  /** For an administrator: what contradicts what, and what to do about it. */
  sentence: string
}

/**
 * Where the event's texts clearly name another weekday or another time than the schedule. Texts that name several
 * contradict it only if none of them fits; of texts that cannot be understood nothing is said.
 */
export function findContradictions(event: EventTimes, schedule: Pick<Schedule, 'weekday' | 'startTime'>) {
  return [weekdayContradiction(event, schedule.weekday), timeContradiction(event, schedule.startTime)].filter(
    (found) => found !== undefined,
  )
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

/** The text without what it denies (`except on Sundays`) and without what it only estimates (`around 10`). */
function assertion(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\b(?:except|excluding|but not|not|no|never|without|closed|cancell?ed)\b[^.;\n]*/gi, ' ')
    .replace(/(?:\b(?:about|around|approximately|approx\.?|roughly|circa)|~) ?[^.;,\n]*/gi, ' ')
}

function sentenceOf(text: keyof EventTimes, kind: 'day' | 'time', scheduled: string): string {
  return `The event’s ${text} names another ${kind} than the schedule, which says ${scheduled}. Change the one that is wrong.`
}
