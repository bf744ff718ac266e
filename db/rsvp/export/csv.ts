import { CELL_END, cellBytes, ROW_END } from './cell-bytes.ts'
import { cellTitles } from './cells.ts'
import { writtenCell } from './csv-cell.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const COMMA = 0x2c
const QUOTE = 0x22
const LINE_END = '\r\n'

/** What a byte of a cell means for the CSV. */
const IN_QUOTES = 1
/** A formula may begin with it, or with the character that it begins. */
const RISKY = 2
/** A formula behind it runs, e.g. behind a semicolon. */
const OPENS = 4
/** A formula behind it runs if one in its place would. */
const BLANK = 8

const meanings = meaningsOfBytes()

/** A cell at most doubles; two quotes, an apostrophe and a line end are added. */
const GROWTH_MAXIMUM = 4

/**
 * The cells of all pages below a line of titles (RFC 4180, CRLF), a piece a page. UTF-8 with a byte order mark, so that
 * Excel reads it as such. `raw` leaves formulas live: for programs that read it, not for people.
 */
export async function* csvDocument(
  pages: AsyncIterable<{ cells: Buffer }>,
  { raw = false } = {},
): AsyncGenerator<Buffer> {
  yield csvHeader()
  for await (const { cells } of pages) yield csvLines(cells, { raw })
}

export function csvHeader(): Buffer {
  return Buffer.concat([Buffer.from(BYTE_ORDER_MARK), csvLines(cellBytes([cellTitles]))])
}

/**
 * The lines of these cells. Texts are made only of the few cells that may hold a formula: making a text of every cell
 * took longer than SQLite takes to find it.
 */
export function csvLines(cells: Buffer, { raw = false } = {}): Buffer {
  const lines = Buffer.allocUnsafe(cells.length * GROWTH_MAXIMUM)
  let end = 0
  let [cellStart, lineStart] = [0, 0]
  let place = 0
  let isQuoted = false
  let isRisky = false
  let runsFormula = true
  for (const byte of cells) {
    place++
    if (byte < ROW_END) {
      const meaning = meanings[byte] ?? 0
      if ((meaning & IN_QUOTES) !== 0) isQuoted = true
      if (runsFormula && (meaning & RISKY) !== 0) isRisky = true
      runsFormula = (meaning & OPENS) !== 0 || (runsFormula && (meaning & BLANK) !== 0)
      lines[end++] = byte
      continue
    }
    if (isRisky)
      end = lineStart + lines.write(writtenCell(cells.toString('utf8', cellStart, place - 1), raw), lineStart)
    else if (isQuoted) end = writeQuoted(cells.subarray(cellStart, place - 1), lines, lineStart)
    if (byte === CELL_END) lines[end++] = COMMA
    else end += lines.write(LINE_END, end)
    cellStart = place
    lineStart = end
    isQuoted = false
    isRisky = false
    runsFormula = true
  }
  return lines.subarray(0, end)
}

/** Writes a cell in quotes, and returns where it ends. */
function writeQuoted(cell: Buffer, lines: Buffer, start: number): number {
  let end = start
  lines[end++] = QUOTE
  for (const byte of cell) {
    if (byte === QUOTE) lines[end++] = QUOTE
    lines[end++] = byte
  }
  lines[end++] = QUOTE
  return end
}

/**
 * At least as careful as `defuseCell`, which decides about what is risky. It knows blanks and signs beyond ASCII; here
 * every character counts as risky that begins with the same byte as one of them.
 */
function meaningsOfBytes(): Uint8Array {
  const table = new Uint8Array(256)
  const mark = (characters: string, meaning: number) => {
    for (const character of characters) {
      const [first = 0] = Buffer.from(character)
      table[first] = (table[first] ?? 0) | meaning
    }
  }
  mark('",;\t\r\n', IN_QUOTES)
  mark(';\t\r\n', OPENS)
  mark('\'" \v\f', BLANK)
  mark('=+-@|%\t\r\n＝＋－＠', RISKY)
  mark('\u00a0\u1680\u2000\u2028\u205f\u3000\ufeff', RISKY)
  return table
}
