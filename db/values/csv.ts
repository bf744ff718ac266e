import { stringify } from 'csv-stringify/sync'

/** Excel recognizes UTF-8 by it. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** The start of a text that a spreadsheet would run as a formula, even behind blanks and apostrophes. */
const formula = /^['\s]*[=+\-@\t\r\n|%＝＋－＠]/

/**
 * A position after a semicolon, tab or line break at which a formula could start. Spreadsheets that split at semicolons
 * or tabs, as Excel does in half of Europe, begin a cell there and take our quotes for text.
 */
const innerFormula = /(?<=[;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g
/** The same with the apostrophe that `defuseCell` inserts. */
const defusedInnerFormula = /(?<=[;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g

/**
 * Cells that are quoted: more than RFC 4180 requires, so that a list of roles stays in its cell even if a spreadsheet
 * splits at commas, semicolons and tabs alike, as LibreOffice proposes.
 */
const quoted = /[",;\t\r\n]/

/** `raw` leaves formulas live, for programs that read the file. */
export type CsvOptions = { raw?: boolean | undefined }

/** Lines as RFC 4180 has them, with CRLF. */
export function csvLines(rows: string[][], { raw = false }: CsvOptions = {}): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: quoted,
    cast: raw ? {} : { string: defuseCell },
  })
}

/**
 * Puts an apostrophe before everything that a spreadsheet would run: at the front, and after each `;`, tab and line
 * break. `restoreCell` removes exactly these.
 * @internal Exported for its test.
 */
export function defuseCell(value: string): string {
  const defused = value.replace(innerFormula, "'")
  return formula.test(defused) ? `'${defused}` : defused
}

/** The text that `defuseCell` turned into this cell. */
export function restoreCell(cell: string): string {
  const inner = cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
  return inner.replace(defusedInnerFormula, '')
}
