import { isDay } from './dates.ts'

// Dates as spreadsheets and lists write them, in the languages of the site.

/** What comes first in dates such as 3/4/2026. */
export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** A day, the time behind it with seconds, and the zone behind that in minutes ahead of UTC; undefined if it has none. */
export type WrittenDate = { day: string; time: string; offset: number | undefined }

const locales = ['en', 'es', 'fr', 'pt', 'de', 'ko', 'ar']
const particles = new Set(
  'a am p pm m de of the t z e gmt utc st nd rd th h uhr 년 월 일 年 月 日 오전 오후 ص م'.split(' '),
)

/** For each month and each day of the week its names. Made when needed: formats take long to create. */
let names: { months: string[][]; weekdays: string[] } | undefined

function namesInUse() {
  if (names !== undefined) return names
  const formats = locales.map((locale) => ({
    month: new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }),
    weekday: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
  }))
  const written = (style: 'month' | 'weekday', moment: number) =>
    formats.map((format) => format[style].format(moment).toLowerCase())
  const months = Array.from({ length: 12 }, (_, month) => written('month', Date.UTC(2026, month)))
  const weekdays = Array.from({ length: 7 }, (_, day) => written('weekday', Date.UTC(2026, 0, day + 1))).flat()
  names = { months, weekdays }
  return names
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

/** The number by which a spreadsheet stores a day, with the time as a fraction: 1954 to 2091. */
const serial = /^([2-6]\d{4})(?:[.,](\d+))?$/
const timeOfDay = /(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?/
const zoneBehind = /(?:\bz|(?:gmt|utc)(?![+-])|([+-])(\d{1,2}):?(\d\d)?)$/
const afternoon = /p\.?\s?m\b|오후|م/
const forenoon = /a\.?\s?m\b|오전|ص/

/**
 * Reads e.g. `11/28/2026`, `28.11.26 14:05`, `Nov 28, 2026`, `2026/11/28 6:03:11 PM GMT-6` or `46354`; undefined for
 * anything else, or a day that does not exist.
 */
export function readWrittenDate(written: string, order: DateOrder): WrittenDate | undefined {
  const text = written
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, latinDigit)
    .trim()
    .toLowerCase()
  const [, days, fraction = '0'] = serial.exec(text) ?? []
  if (days !== undefined) {
    const seconds = Math.round(Number(`${days}.${fraction}`) * 86_400)
    const moment = new Date(Date.UTC(1899, 11, 30) + seconds * 1000).toISOString()
    return { day: moment.slice(0, 10), time: moment.slice(11, 19), offset: undefined }
  }
  const found = timeOfDay.exec(text)
  const day = dayIn(found === null ? text : text.slice(0, found.index), order)
  if (day === undefined) return undefined
  if (found === null) return { day, time: '00:00:00', offset: undefined }
  const [, hour = '', minute = '', second = '00'] = found
  const behind = text.slice(found.index + found[0].length).trim()
  const [zone, sign, hours = 0, minutes = 0] = zoneBehind.exec(behind) ?? []
  const isHalf = afternoon.test(text) || forenoon.test(text)
  const hours24 = isHalf ? (Number(hour) % 12) + (afternoon.test(text) ? 12 : 0) : Number(hour)
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const time = `${String(hours24).padStart(2, '0')}:${minute}:${second}`
  if (hours24 > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return { day, time, offset: zone === undefined ? undefined : ahead }
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

function latinDigit(digit: string): string {
  // The last four bits of both kinds are the value.
  return String(digit.charCodeAt(0) & 15)
}
