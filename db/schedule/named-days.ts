import { weekdayOf } from '#db/values/dates.ts'

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const month = `(${months.join('|')})[a-z]*\\.?`

/** Before weekdays are read, since these contain the name of another one. */
const otherNames: [pattern: RegExp, weekdays: string][] = [
  [/\b(?:sabbath|shabbat|saturday) eve\b|\beve of (?:the )?(?:sabbath|shabbat)\b/g, ' friday '],
  [/\b(?:sabbaths?|shabbat|shabbos|(?:seventh|7th)[- ]day)\b/g, ' saturday '],
  [/\b(?:the )?lord['’]?s['’]? day\b|\bfirst day of the week\b/g, ' sunday '],
  [/\bweekends?\b/g, ' saturday sunday '],
  [/\bweekdays?\b/g, ' monday to friday '],
  [/\b(?:daily|every ?day|each day|every evening|every morning|every night|any day)\b/g, ' sunday to saturday '],
]

/** A weekday, also cut short: `Sat`, `Tues.`, `Thurs`. What the sun does is not a day. */
const weekday =
  '\\b(?<!\\bthe )(?:sun|mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|(?:sun|mon|tues|wednes|thurs|fri|satur)day)s?\\b\\.?'
const weekdayRange = new RegExp(`(${weekday})\\s*(?:[-–—]|to\\b|through\\b|thru\\b)\\s*(${weekday})`, 'g')

/** The weekdays that a text names, from 0 for Sunday: in words, or by a date that has its year. */
export function namedWeekdays(text: string): Set<number> {
  const words = otherNames.reduce((rest, [pattern, names]) => rest.replace(pattern, names), text.toLowerCase())
  const ranges = Array.from(words.matchAll(weekdayRange), ([, from = '', to = '']) => daysBetween(from, to))
  const single = Array.from(words.matchAll(new RegExp(weekday, 'g')), ([name]) => numberOf(name))
  return new Set([...ranges.flat(), ...single, ...datesIn(words).map(weekdayOf)])
}

function numberOf(name: string): number {
  return weekdays.findIndex((whole) => whole.startsWith(name.slice(0, 3)))
}

function daysBetween(from: string, to: string): number[] {
  const length = (numberOf(to) - numberOf(from) + 7) % 7
  return Array.from({ length: length + 1 }, (_, later) => (numberOf(from) + later) % 7)
}

/** Days with their year. Where two numbers may be day and month or the other way round, both. */
function datesIn(words: string): string[] {
  const iso = words.matchAll(/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g)
  const american = words.matchAll(new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'g'))
  const british = words.matchAll(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?${month},? (\\d{4})\\b`, 'g'))
  const numbers = words.matchAll(/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g)
  return [
    ...Array.from(iso, ([, year, one, day]) => dayOf(year, one, day)),
    ...Array.from(american, ([, name, day, year]) => dayOf(year, monthOf(name), day)),
    ...Array.from(british, ([, day, name, year]) => dayOf(year, monthOf(name), day)),
    ...Array.from(numbers, ([, one, other, year]) => [dayOf(year, one, other), dayOf(year, other, one)]).flat(),
  ].filter((day) => !Number.isNaN(Date.parse(day)))
}

function monthOf(name = ''): string {
  return `${months.indexOf(name) + 1}`
}

function dayOf(year = '', one = '', day = ''): string {
  return `${year}-${one.padStart(2, '0')}-${day.padStart(2, '0')}`
}
