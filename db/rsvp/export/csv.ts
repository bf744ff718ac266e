import { cellTitles } from './cells.ts'

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
/** A cell that may have to be quoted or defused. */
const noteworthy = /^['\s=+\-@|%＝＋－＠]|[",;\t\r\n]/

/**
 * Puts one apostrophe before what a spreadsheet would run: at the front, and after each `;`, tab and line break.
 * `restoreCell` takes exactly these away again.
 */
export function defuseCell(value: string): string {
  const defused = value.replace(innerFormula, "'")
  return formula.test(defused) ? `'${defused}` : defused
}

/** The stored text of a cell that `defuseCell` made. */
export function restoreCell(cell: string): string {
  const inner = cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
  return inner.replace(defusedInnerFormula, '')
}

/**
 * The cells of all pages below a line of titles (RFC 4180, CRLF), a piece a page. UTF-8 with a byte order mark, so that
 * Excel reads it as such. `raw` leaves formulas live: for programs that read it, not for people.
 */
export async function* csvDocument(pages: AsyncIterable<string[][]>, { raw = false } = {}): AsyncGenerator<string> {
  yield csvHeader()
  for await (const page of pages) yield csvLines(page, { raw })
}

export function csvHeader(): string {
  return BYTE_ORDER_MARK + csvLines([cellTitles])
}

export function csvLines(rows: string[][], { raw = false } = {}): string {
  let lines = ''
  for (const cells of rows) lines += `${cells.map((cell) => written(cell, raw)).join(',')}\r\n`
  return lines
}

/** Few cells need anything; looking once at each is most of what a CSV costs here. */
function written(cell: string, raw: boolean): string {
  if (!noteworthy.test(cell)) return cell
  const safe = raw ? cell : defuseCell(cell)
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
