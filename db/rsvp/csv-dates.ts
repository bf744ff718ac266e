import { isValid } from 'date-fns/isValid'
import { UserError } from '#db/errors.ts'
import type { StoredSchedule } from '#db/schedule/schema.ts'
import { addDays, isDay, weekdayOf } from '#db/values/dates.ts'
import { withPlainDigits } from '#db/values/numbers.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import type { FieldName } from './fields.ts'

// Dates as spreadsheets and lists write them, in the languages of the site.

/** What comes first in dates such as 3/4/2026. */
export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** How the dates of a file are read; `zone` is that of moments that name none. */
export type DatesOfFile = { order: DateOrder; zone: string; now: Date }

type Dated = { cells: Partial<Record<FieldName, string>> }

const unclear =
  'In this file, dates such as 3/4/2026 can be March 4 or April 3. Say which with --dates month-first or --dates day-first.'

/** The number by which a spreadsheet stores a day, with the time as a fraction: 1954 to 2091. */
const serial = /^[2-6]\d{4}(?:[.,]\d+)?$/
const timeOfDay = /\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?/
const zoneAtEnd = /(?:^z|gmt|utc|[+-]\d{1,2}(?::?\d\d)?)$/
// No parts of words, e.g. of `Sam.` or `مارس`.
const afternoon = /(?<!\p{L})(?:p\.?\s?m\b|오후|م(?!\p{L}))/u
const forenoon = /(?<!\p{L})(?:a\.?\s?m\b|오전|ص(?!\p{L}))/u

/**
 * Reads e.g. `11/28/2026`, `28.11.26 14:05`, `Nov 28, 2026`, `2026/11/28 6:03:11 PM GMT-6` or `46354`; undefined for
 * anything else, or a day that does not exist. Without a zone it is the moment in UTC.
 */
export function readDate(text: string, order: DateOrder): { moment: Date; hasZone: boolean } | undefined {
  const plain = withPlainDigits(text.normalize('NFKC')).trim().toLowerCase()
  if (serial.test(plain)) {
    const seconds = Math.round(Number(plain.replace(',', '.')) * 86_400)
    return { moment: new Date(Date.UTC(1899, 11, 30) + seconds * 1000), hasZone: false }
  }
  const { 0: time = '0:00', index = plain.length } = timeOfDay.exec(plain) ?? {}
  const [zone] = zoneAtEnd.exec(plain.slice(index + time.length)) ?? []
  const half = afternoon.test(plain) ? 'PM' : forenoon.test(plain) ? 'AM' : ''
  const moment = new Date(`${dayOf(plain.slice(0, index), order)} ${time.replace(',', '.')} ${half} ${zone ?? 'utc'}`)
  return isValid(moment) ? { moment, hasZone: zone !== undefined } : undefined
}

function dayOf(text: string, order: DateOrder): string | undefined {
  const numbers = text.match(/\d+/g) ?? []
  // The last one: `mar. 14 janv.` is a Tuesday in January.
  const named = (text.match(/[\p{L}\p{M}]{3,}/gu) ?? []).map(monthOf).findLast((month) => month > 0)
  if (numbers.length !== (named === undefined ? 3 : 2)) return undefined
  const isYearFirst = numbers[0]?.length === 4
  const year = (isYearFirst ? numbers.shift() : numbers.pop()) ?? ''
  if (named !== undefined) numbers.unshift(String(named))
  else if (!isYearFirst && order === 'day-first') numbers.reverse()
  const day = [year.padStart(4, '20'), ...numbers.map((part) => part.padStart(2, '0'))].join('-')
  return isDay(day) ? day : undefined
}

/** The names of each month. Made when needed: formats take long to create. */
let months: string[][] | undefined

/** From 1 for January; 0 for any other word. `Sept.` is enough for September. */
function monthOf(word: string): number {
  months ??= Array.from({ length: 12 }, (_, month) =>
    ['en', 'es', 'fr', 'pt', 'de', 'ar'].map((locale) => {
      const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
      return format.format(Date.UTC(2026, month)).toLowerCase()
    }),
  )
  return months.findIndex((names) => names.some((name) => name.startsWith(word))) + 1
}

/** A moment in the stored format; undefined for an invalid or future one. */
export function readMoment(text: string, { order, zone, now }: DatesOfFile): string | undefined {
  const { moment: read, hasZone } = readDate(text, order) ?? {}
  if (read === undefined) return undefined
  const [day = '', time = ''] = read.toISOString().split(/[TZ]/)
  const moment = hasZone ? read : momentOf(zone, day, time)
  return moment <= now ? moment.toISOString() : undefined
}

/** The day of a service; undefined for anything else. */
export function readDay(text: string, order: DateOrder): string | undefined {
  return readDate(text, order)?.moment.toISOString().slice(0, 10)
}

/**
 * The order of days and months in which all dates of a file exist and none was sent in the future, and, if that is true
 * of both, services are on their weekday; either, if it makes no difference.
 * @throws UserError 'invalid' if both or none fit.
 */
export function findDateOrder(rows: Dated[], schedule: StoredSchedule, now: Date): DateOrder {
  const tomorrow = addDays(dayIn(schedule.timeZone, now), 1)
  const weekdays = [schedule.weekday, weekdayOf(schedule.previousService ?? '')]
  const dates = rows.flatMap(({ cells: { serviceDate = '', createdAt = '', changedAt = '' } }) =>
    [serviceDate, createdAt, changedAt].flatMap((text, at) => {
      // A date with the year first has one order: that is how we export them.
      if (text === '' || /^\d{4}\D/.test(text)) return []
      const days = dateOrders.map((order) => readDay(text, order))
      return [{ days, isService: at === 0 }]
    }),
  )
  const ambiguous = dates.filter(({ days: [one, other] }) => one !== other)
  const possible = dateOrders.filter((_, at) =>
    ambiguous.every(({ days, isService }) => days[at] !== undefined && (isService || days[at] <= tomorrow)),
  )
  const likely = possible.filter((order) =>
    ambiguous.every(
      ({ days, isService }) => !isService || weekdays.includes(weekdayOf(days[dateOrders.indexOf(order)] ?? '')),
    ),
  )
  const [only, other] = possible.length === 1 ? possible : likely
  if (ambiguous.length === 0) return 'day-first'
  if (only === undefined || other !== undefined) throw new UserError('invalid', unclear)
  return only
}
