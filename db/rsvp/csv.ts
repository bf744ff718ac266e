import { stringify } from 'csv-stringify/sync'
import type { StoredRsvp } from './schema.ts'
import { cellsOf } from './texts.ts'

const COLUMNS = [
  'Id',
  'Name',
  'Email',
  'Phone',
  'Message',
  'Status',
  'Family Members',
  'Volunteer Roles',
  'Calendar',
  'Date',
]
const BYTE_ORDER_MARK = '\uFEFF'

/** What a spreadsheet would run as a formula, also behind blanks and apostrophes. */
const formula = /^['\s]*[=+\-@\t\r\n|%＝＋－＠]/

/** Puts one apostrophe before what a spreadsheet would run. `restoreCell` takes it away again. */
export function defuseCell(value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** What was stored, from a cell made by `defuseCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** The first line: UTF-8 with a byte order mark, so that Excel reads it as such. */
export function csvHeader(): string {
  return BYTE_ORDER_MARK + lines([COLUMNS])
}

/** One line for each response (RFC 4180, CRLF). `raw` leaves formulas live: for programs that read it, not for people. */
export function csvLines(responses: StoredRsvp[], { raw = false } = {}): string {
  const rows = responses.map(cellsOf)
  return lines(raw ? rows : rows.map((cells) => cells.map(defuseCell)))
}

function lines(rows: string[][]): string {
  // Without being told, it leaves a lone line break unquoted once the delimiter is CRLF.
  return stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
}
