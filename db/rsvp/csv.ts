import { stringify } from 'csv-stringify/sync'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { cellsOf, cellTitles } from './fields.ts'
import type { StoredRsvp } from './schema.ts'

const BYTE_ORDER_MARK = '\uFEFF'

/** The start of a text that a spreadsheet would run as a formula, even behind blanks and apostrophes. */
const formula = /^['\s]*[=+\-@\t\r\n|%＝＋－＠]/

/**
 * The place after a semicolon, a tab or a line break, where what follows would be run. A spreadsheet that splits at
 * semicolons or tabs, as Excel does in half of Europe, begins a cell there, and takes the quotes around ours for text.
 */
const innerFormula = /(?<=[;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g
/** The same behind the apostrophe that was put there. */
const defusedInnerFormula = /(?<=[;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g

/**
 * What stands in quotes: more than RFC 4180 asks for. So a list of roles stays in its cell also where a spreadsheet splits
 * at commas, semicolons and tabs alike, as LibreOffice proposes.
 */
const quoted = /[",;\t\r\n]/

/** `raw` leaves formulas live: for programs that read it, not for people. */
type CsvOptions = { raw?: boolean | undefined }

/**
 * Responses below a line of titles (RFC 4180, CRLF), a piece a page. UTF-8 with a byte order mark, so that Excel reads it as
 * such.
 */
export async function* csvDocument(
  pages: AsyncIterable<StoredRsvp[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([cellTitles])
  for await (const responses of pages) yield csvLines(responses.map(cellsOf), options)
}

/** @internal Exported for its test. */
export function csvLines(rows: string[][], { raw = false }: CsvOptions = {}): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: quoted,
    cast: raw ? {} : { string: defuseCell },
  })
}

/**
 * Puts one apostrophe before what a spreadsheet would run: at the front, and after each `;`, tab and line break.
 * `restoreCell` takes exactly these away again.
 * @internal Exported for its test.
 */
export function defuseCell(value: string): string {
  const defused = value.replace(innerFormula, "'")
  return formula.test(defused) ? `'${defused}` : defused
}

/** The stored text of a cell that `defuseCell` made. */
export function restoreCell(cell: string): string {
  const inner = cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
  return inner.replace(defusedInnerFormula, '')
}

/** What a file of responses holds: those for one service, or a selection of them. */
type Held = { week?: string | undefined; isSelection?: boolean }

/**
 * The name of a file of responses: `rsvps-week-2026-11-28.csv` of those for one service, `rsvps-2026-11-21.csv` of all, by
 * the church's day. A selection is named as one.
 */
export async function exportFileName(
  moment: Date,
  extension: 'csv' | 'json',
  { week, isSelection = false }: Held,
): Promise<string> {
  const held = week === undefined ? dayIn((await readSchedule()).timeZone, moment) : `week-${week}`
  return `rsvps-${held}${isSelection ? '-selection' : ''}.${extension}`
}
