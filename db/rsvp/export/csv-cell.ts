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

/** A cell as it stands in the file. `raw` leaves a formula live. */
export function writtenCell(value: string, raw: boolean): string {
  const safe = raw ? value : defuseCell(value)
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
