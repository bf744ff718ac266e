import { stringify } from 'csv-stringify/sync'

/** Excel recognizes UTF-8 by it. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Matches the start of a text that a spreadsheet would run as a formula, even behind blanks and apostrophes. */
const formula = /^['\s]*[=+\-@\t\r\n|%＝＋－＠]/

/**
 * Matches a position after a separator or line break at which a formula could start. A spreadsheet that splits at another
 * separator than ours, as Excel does in half of Europe, begins a cell there and reads our quotes as text.
 */
const innerFormula = /(?<=[,;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g
/** Matches the apostrophes that `defuseFormulas` inserts there. */
const defusedInnerFormula = /(?<=[,;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@|%＝＋－＠])/g

/**
 * Matches cells that are quoted. RFC 4180 requires fewer, but a list of roles must stay in its cell when a spreadsheet
 * splits at commas, semicolons and tabs alike, as LibreOffice proposes.
 */
const quoted = /[",;\t\r\n]/

export const separators = { comma: ',', semicolon: ';', tab: '\t' }
export type Separator = keyof typeof separators

/** Where the comma is the decimal sign, Excel splits at semicolons. */
export function separatorFor(language: string | undefined): Separator {
  return ['de', 'es', 'fr', 'pt'].includes(language ?? '') ? 'semicolon' : 'comma'
}

/** `raw` leaves every text unchanged, for programs. */
export type CsvOptions = { raw?: boolean | undefined; separator?: Separator | undefined }

/**
 * Lines by RFC 4180, with CRLF.
 * @param isText for each column, whether its texts must not become numbers or dates; by default true.
 */
export function csvLines(
  rows: string[][],
  { raw = false, separator = 'comma' }: CsvOptions = {},
  isText?: boolean[],
): string {
  return stringify(rows, {
    delimiter: separators[separator],
    record_delimiter: 'windows',
    quoted_match: quoted,
    cast: raw
      ? {}
      : { string: (cell, { index }) => (isText?.[index] === false ? defuseFormulas(cell) : defuseCell(cell)) },
  })
}

/**
 * Puts an apostrophe before each formula, at the start and after separators and line breaks, and before a text that a
 * spreadsheet would turn into a number, a date or a truth value, e.g. a telephone number, which would lose its zero.
 * `restoreCell` removes exactly these apostrophes.
 * @internal Exported for its test.
 */
export function defuseCell(value: string): string {
  return defuseFormulas(isConvertible(value) ? `'${value}` : value)
}

function defuseFormulas(value: string): string {
  const defused = value.replace(innerFormula, "'")
  return formula.test(defused) ? `'${defused}` : defused
}

/** The text that `defuseCell` turned into this cell. */
export function restoreCell(cell: string): string {
  const isMarked = cell.startsWith("'") && (formula.test(cell) || isConvertible(cell))
  return (isMarked ? cell.slice(1) : cell).replace(defusedInnerFormula, '')
}

/** Matches characters that no spreadsheet accepts in a number, date or time. */
const inNoNumber = /[;=@"!?&<>|\\_{}[\]\t\r\n]/
const truthValue = /^['\s]*(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|verdadeiro)\s*$/i

/**
 * Whether a spreadsheet may convert the cell: it holds digits, signs and at most one word, e.g. `0171 55`, `1/2`, `1e5`,
 * `28. Nov`, or a year with a few words. The apostrophes of `defuseCell` do not change the result, on which `restoreCell`
 * relies.
 */
function isConvertible(cell: string): boolean {
  if (!/\p{N}/u.test(cell)) return truthValue.test(cell)
  if (inNoNumber.test(cell) || formula.test(cell)) return false
  const { length } = cell.match(/[\p{L}\p{M}]+/gu) ?? ''
  return length < 2 || (length < 6 && /(?:19|20)\d\d/.test(cell))
}
