import type { StoredSchedule } from '#db/schedule/schema.ts'
import { addDays, isDay, weekdayOf } from '#db/values/dates.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { type DateOrder, dateOrders, readWrittenDate } from '#db/values/written-dates.ts'
import type { CsvRow } from './read-csv.ts'

/** How the dates of a file are read; `zone` is that of moments that name none. */
export type DatesOfFile = { order: DateOrder; zone: string; now: Date }

/** As we write moments, to the millisecond. */
const exact = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/

const unclear =
  'In this file, dates such as 3/4/2026 can be March 4 or April 3. Say which with --dates month-first or --dates day-first.'
const mixed =
  'In this file, some dates have the day first and others the month. Write all in one way, e.g. 2026-11-21, or say which with --dates.'

/** A moment in the stored format; undefined for an invalid or future one. */
export function readMoment(text: string, { order, zone, now }: DatesOfFile): string | undefined {
  const written = isExact(text) ? undefined : readWrittenDate(text, order)
  const moment = written === undefined ? new Date(isExact(text) ? text : Number.NaN) : momentIn(written, zone)
  return moment <= now ? moment.toISOString() : undefined
}

function momentIn({ day, time, offset }: NonNullable<ReturnType<typeof readWrittenDate>>, zone: string): Date {
  if (offset === undefined) return momentOf(zone, day, time)
  return new Date(Date.parse(`${day}T${time}Z`) - offset * 60_000)
}

function isExact(text: string): boolean {
  return exact.test(text) && isDay(text.slice(0, 10))
}

/** The day of a service; what cannot be read stays as it is. */
export function readDay(text: string, order: DateOrder): string {
  return isDay(text) ? text : (readWrittenDate(text, order)?.day ?? text)
}

/**
 * The order of days and months in a file: the one in which all dates exist, none was sent in the future, and services are
 * on their weekday. Either, if that makes no difference; a doubt as a sentence, if it does.
 */
export function findDateOrder(rows: CsvRow[], schedule: StoredSchedule, now: Date): DateOrder | { doubt: string } {
  const tomorrow = addDays(dayIn(schedule.timeZone, now), 1)
  const weekdays = [
    schedule.weekday,
    ...(schedule.previousService === null ? [] : [weekdayOf(schedule.previousService)]),
  ]
  let fitting = [...dateOrders]
  const onWeekday = new Set(dateOrders)
  let differs = false
  for (const { cells } of rows) {
    for (const name of ['serviceDate', 'createdAt', 'changedAt'] as const) {
      const text = cells[name] ?? ''
      if (text === '' || isDay(text) || isExact(text)) continue
      const days = new Map(dateOrders.map((order) => [order, readWrittenDate(text, order)?.day]))
      if (new Set(days.values()).size === 1) continue
      differs = true
      const isPossible = (order: DateOrder) => {
        const day = days.get(order)
        return day !== undefined && (name === 'serviceDate' || day <= tomorrow)
      }
      if (dateOrders.some(isPossible)) fitting = fitting.filter(isPossible)
      if (name !== 'serviceDate') continue
      for (const [order, day] of days) if (!weekdays.includes(weekdayOf(day ?? ''))) onWeekday.delete(order)
    }
  }
  if (fitting.length === 0) return { doubt: mixed }
  const [only, other] = fitting.length === 1 || !differs ? fitting : fitting.filter((order) => onWeekday.has(order))
  if (only === undefined || (other !== undefined && differs)) return { doubt: unclear }
  return only
}
