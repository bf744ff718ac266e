import { readSchedule } from '#db/schedule.ts'
import { BYTE_ORDER_MARK, type CsvOptions, csvLines } from '#db/values/csv.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { cellsOf, cellTitles, type FieldName, fieldsIn } from '#db/values/rsvp-fields.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { listSuperseded } from './duplicates.ts'

/** Whether people are counted from a response; the import ignores this column. */
export const COUNTED_TITLE = 'Counted'

/** Spreadsheets may read these as numbers and dates. */
const numbersAndDates: FieldName[] = ['id', 'createdAt', 'serviceDate', 'changedAt']
const isText = fieldsIn('csv').map(({ name }) => !numbersAndDates.includes(name))

/**
 * A line of titles, then the responses (RFC 4180, CRLF), one piece per page. In UTF-8 with a byte order mark, by which
 * Excel recognizes it.
 */
export async function* csvDocument(
  pages: AsyncIterable<StoredRsvp[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([[...cellTitles, COUNTED_TITLE]], options)
  const superseded = new Set(await listSuperseded())
  const { skippedDates } = await readSchedule()
  const lineOf = (response: StoredRsvp) => {
    const { id, deletedAt, serviceDate } = response
    const isCounted = deletedAt === null && !superseded.has(id) && !skippedDates.includes(serviceDate)
    return [...cellsOf(response), isCounted ? 'yes' : 'no']
  }
  for await (const responses of pages) yield csvLines(responses.map(lineOf), options, isText)
}

type Held = { week?: string | undefined; isSelection?: boolean }

/**
 * The name of a file of responses: `rsvps-week-2026-11-28.csv` for one service, `rsvps-2026-11-21.csv` for all, with
 * the date in the church's time zone; a selection gets `-selection`.
 */
export async function exportFileName(
  moment: Date,
  extension: 'csv' | 'json',
  { week, isSelection = false }: Held,
): Promise<string> {
  const held = week === undefined ? dayIn((await readSchedule()).timeZone, moment) : `week-${week}`
  return `rsvps-${held}${isSelection ? '-selection' : ''}.${extension}`
}
