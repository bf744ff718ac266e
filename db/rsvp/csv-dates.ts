import { isValid } from 'date-fns/isValid'
import { UserError } from '#db/errors.ts'
import { isDay } from '#db/values/dates.ts'
import { withPlainDigits } from '#db/values/numbers.ts'
import { momentOf } from '#db/values/time-zone.ts'

// Dates in numbers, as spreadsheets and forms write them.

/** What comes first in dates such as 3/4/2026. */
export const dateOrders = ['day-first', 'month-first'] as const
type DateOrder = (typeof dateOrders)[number]

/** How the dates of a file are read; `zone` is that of moments that name none. */
export type DatesOfFile = { order: DateOrder; zone: string; now: Date }

const unclear =
  'In this file, dates such as 3/4/2026 can be March 4 or April 3. Say which with --dates month-first or --dates day-first.'

const numbers = /^(\d{1,4})[-/.]\s?(\d{1,2})[-/.]\s?(\d{1,4})/
const timeOfDay = /\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?/
const zoneAtEnd = /(?:^z|gmt|utc|[+-]\d{1,2}(?::?\d\d)?)$/
const afternoon = /p\.?\s?m|오후|م/
const forenoon = /a\.?\s?m|오전|ص/

/** Reads e.g. `11/28/2026`, `28.11.26 14:05` or `2026/11/28 6:03:11 PM GMT-6`; without a zone in UTC. */
function readDate(text: string, order: DateOrder): { moment: Date; hasZone: boolean } | undefined {
  const plain = withPlainDigits(text.normalize('NFKC')).trim().toLowerCase()
  const day = dayOf(plain, order)
  if (day === undefined) return undefined
  const { 0: time = '0:00', index = plain.length } = timeOfDay.exec(plain) ?? {}
  const [zone] = zoneAtEnd.exec(plain.slice(index + time.length)) ?? []
  const half = afternoon.test(plain) ? 'PM' : forenoon.test(plain) ? 'AM' : ''
  const moment = new Date(`${day} ${time} ${half} ${zone ?? 'utc'}`)
  return isValid(moment) ? { moment, hasZone: zone !== undefined } : undefined
}

/** E.g. `2026-11-28`; undefined for anything else, or a day that does not exist. */
function dayOf(text: string, order: DateOrder): string | undefined {
  const [, ...parts] = numbers.exec(text) ?? []
  if (parts.length === 0) return undefined
  if (parts[0]?.length !== 4) {
    const year = parts.pop() ?? ''
    if (order === 'day-first') parts.reverse()
    parts.unshift(year.padStart(4, '20'))
  }
  const day = parts.map((part) => part.padStart(2, '0')).join('-')
  return isDay(day) ? day : undefined
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
 * The order in which all dates of a file exist; either, if it makes no difference.
 * @throws UserError 'invalid' if both or none fit.
 */
export function findDateOrder(dates: string[]): DateOrder {
  const read = dates.map((text) => dateOrders.map((order) => readDay(text, order)))
  const ambiguous = read.filter(([one, other]) => one !== other)
  const [order, other] = dateOrders.filter((_, at) => ambiguous.every((days) => days[at] !== undefined))
  if (ambiguous.length === 0) return 'day-first'
  if (order === undefined || other !== undefined) throw new UserError('invalid', unclear)
  return order
}
