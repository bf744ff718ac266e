import { isValid } from 'date-fns'
import { isDay } from './dates.ts'
import { withPlainDigits } from './numbers.ts'

// Dates as spreadsheets and lists write them, in the languages of the site.

/** What comes first in dates such as 3/4/2026. */
export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** `moment` is in UTC if the text names no zone. */
export type WrittenDate = { moment: Date; hasZone: boolean }

const locales = ['en', 'es', 'fr', 'pt', 'de', 'ko', 'ar']
const particles = new Set(
  'a am p pm m de of the t z e gmt utc st nd rd th h uhr 년 월 일 年 月 日 오전 오후 ص م'.split(' '),
)

/** The names of each month, and of all days of the week. Made when needed: formats take long to create. */
let names: { months: string[][]; weekdays: string[] } | undefined

function namesInUse() {
  names ??= {
    months: Array.from({ length: 12 }, (_, month) => written({ month: 'long' }, Date.UTC(2026, month))),
    weekdays: Array.from({ length: 7 }, (_, day) => written({ weekday: 'long' }, Date.UTC(2026, 0, day + 1))).flat(),
  }
  return names
}

function written(style: Intl.DateTimeFormatOptions, moment: number): string[] {
  return locales.map((locale) =>
    new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(moment).toLowerCase(),
  )
}

/** From 1 for January; undefined for any other word. `Sept.` is enough for September. */
function monthOf(word: string): number | undefined {
  if (word.length < 3) return undefined
  const month = namesInUse().months.findIndex((each) => each.some((name) => name.startsWith(word)))
  return month === -1 ? undefined : month + 1
}

/** Whether a word of letters can be part of a date or time. */
export function isWordOfDates(word: string): boolean {
  const text = word.toLowerCase()
  const isWeekday = text.length > 1 && namesInUse().weekdays.some((name) => name.startsWith(text))
  return particles.has(text) || isWeekday || monthOf(text) !== undefined
}

/** As we write days and moments; faster to read. */
const ours = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?$/
/** The number by which a spreadsheet stores a day, with the time as a fraction: 1954 to 2091. */
const serial = /^[2-6]\d{4}(?:[.,]\d+)?$/
const timeOfDay = /\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?/
const zoneAtEnd = /(?:\bz|gmt|utc|[+-]\d{1,2}(?::?\d\d)?)$/
// No parts of words, e.g. of `Sam.` or `مارس`.
const afternoon = /(?<!\p{L})(?:p\.?\s?m\b|오후|م(?!\p{L}))/u
const forenoon = /(?<!\p{L})(?:a\.?\s?m\b|오전|ص(?!\p{L}))/u

/**
 * Reads e.g. `11/28/2026`, `28.11.26 14:05`, `Nov 28, 2026`, `2026/11/28 6:03:11 PM GMT-6` or `46354`; undefined for
 * anything else, or a day that does not exist.
 */
export function readWrittenDate(text: string, order: DateOrder): WrittenDate | undefined {
  if (ours.test(text) && isDay(text.slice(0, 10))) return valid({ moment: new Date(text), hasZone: text.endsWith('Z') })
  const plain = withPlainDigits(text.normalize('NFKC')).trim().toLowerCase()
  if (serial.test(plain)) {
    const seconds = Math.round(Number(plain.replace(',', '.')) * 86_400)
    return { moment: new Date(Date.UTC(1899, 11, 30) + seconds * 1000), hasZone: false }
  }
  const { 0: time = '0:00', index = plain.length } = timeOfDay.exec(plain) ?? {}
  const day = dayIn(plain.slice(0, index), order)
  const [zone] = zoneAtEnd.exec(plain.slice(index + time.length)) ?? []
  const half = afternoon.test(plain) ? 'PM' : forenoon.test(plain) ? 'AM' : ''
  const moment = new Date(`${day} ${time.replace(',', '.')} ${half} ${zone ?? 'utc'}`)
  return day === undefined ? undefined : valid({ moment, hasZone: zone !== undefined })
}

function valid(written: WrittenDate): WrittenDate | undefined {
  return isValid(written.moment) ? written : undefined
}

function dayIn(text: string, order: DateOrder): string | undefined {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const numbers = text.match(/\d+/g) ?? []
  const named = words.map(monthOf).find((month) => month !== undefined)
  if (!words.every(isWordOfDates) || numbers.length !== (named === undefined ? 3 : 2)) return undefined
  const isYearFirst = numbers[0]?.length === 4
  const [year = '', ...rest] = isYearFirst ? numbers : [numbers.at(-1), ...numbers.slice(0, -1)]
  const isDayFirst = !isYearFirst && order === 'day-first'
  const [month, day] = named === undefined ? (isDayFirst ? rest.toReversed() : rest) : [named, rest[0]]
  const parts = [year.length === 2 ? `20${year}` : year, ...[month, day].map((part) => String(part).padStart(2, '0'))]
  return isDay(parts.join('-')) ? parts.join('-') : undefined
}
