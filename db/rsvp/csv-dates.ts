import type { StoredSchedule } from '#db/schedule/schema.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { type DateOrder, dateOrders, readWrittenDate } from '#db/values/written-dates.ts'
import type { CsvRow } from './read-csv.ts'

/** How the dates of a file are read; `zone` is that of moments that name none. */
export type DatesOfFile = { order: DateOrder; zone: string; now: Date }

const unclear =
  'In this file, dates such as 3/4/2026 can be March 4 or April 3. Say which with --dates month-first or --dates day-first.'
const mixed =
  'In this file, some dates have the day first and others the month. Write all in one way, e.g. 2026-11-21, or say which with --dates.'

/** A moment in the stored format; undefined for an invalid or future one. */
export function readMoment(text: string, { order, zone, now }: DatesOfFile): string | undefined {
  const written = readWrittenDate(text, order)
  if (written === undefined) return undefined
  const [day = '', time = ''] = written.moment.toISOString().split(/[TZ]/)
  const moment = written.hasZone ? written.moment : momentOf(zone, day, time)
  return moment <= now ? moment.toISOString() : undefined
}

/** The day of a service; undefined for anything else. */
export function readDay(text: string, order: DateOrder): string | undefined {
  return readWrittenDate(text, order)?.moment.toISOString().slice(0, 10)
}

/**
 * The order of days and months in a file: the one in which all dates exist, none was sent in the future, and services are
 * on their weekday. Either, if that makes no difference; a doubt as a sentence, if it does.
 */
export function findDateOrder(rows: CsvRow[], schedule: StoredSchedule, now: Date): DateOrder | { doubt: string } {
  const tomorrow = addDays(dayIn(schedule.timeZone, now), 1)
  const weekdays = [schedule.weekday, weekdayOf(schedule.previousService ?? '')]
  const ambiguous = (['serviceDate', 'createdAt', 'changedAt'] as const).flatMap((name) =>
    rows.flatMap(({ cells }) => {
      const dayIn = (order: DateOrder) => {
        const day = readDay(cells[name] ?? '', order)
        return name === 'serviceDate' || (day ?? '') <= tomorrow ? day : undefined
      }
      const days = { 'day-first': dayIn('day-first'), 'month-first': dayIn('month-first') }
      return days['day-first'] === days['month-first'] ? [] : [{ name, days }]
    }),
  )
  if (ambiguous.length === 0) return 'day-first'
  const possible = dateOrders.filter((order) => ambiguous.every(({ days }) => days[order] !== undefined))
  if (possible.length === 0) return { doubt: mixed }
  const onWeekdays = possible.filter((order) =>
    ambiguous.every(({ name, days }) => name !== 'serviceDate' || weekdays.includes(weekdayOf(days[order] ?? ''))),
  )
  const [only, other] = possible.length === 1 ? possible : onWeekdays
  return only === undefined || other !== undefined ? { doubt: unclear } : only
}
