import { cellBytes, ROW_END } from './cell-bytes.ts'
import { cellTitles } from './cells.ts'
import { writtenCell } from './csv-cell.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const COMMA = 0x2c
const QUOTE = 0x22
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

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
 * took longer than SQLite takes to find it. Each cell is looked at once and then copied, which takes a third of the time
 * of doing both at once.
 */
export function csvLines(cells: Buffer, { raw = false } = {}): Buffer {
  const lines = Buffer.allocUnsafe(cells.length * GROWTH_MAXIMUM)
  let end = 0
  for (let start = 0, place = 0; start < cells.length; start = place + 1) {
    let found = 0
    let runsFormula = true
    let byte = byteAt(cells, start)
    for (place = start; byte < ROW_END; byte = byteAt(cells, ++place)) {
      const meaning = byteAt(meanings, byte)
      found |= runsFormula ? meaning : meaning & ~RISKY
      runsFormula = (meaning & OPENS) !== 0 || (runsFormula && (meaning & BLANK) !== 0)
    }
    if ((found & RISKY) !== 0) end += lines.write(writtenCell(cells.toString('utf8', start, place), raw), end)
    else end = copyCell(cells, start, place, lines, end, (found & IN_QUOTES) !== 0)
    if (byte === ROW_END) lines[end++] = CARRIAGE_RETURN
    lines[end++] = byte === ROW_END ? LINE_FEED : COMMA
  }
  return lines.subarray(0, end)
}

/** Copies a cell in which there is no formula, and returns where its copy ends. */
function copyCell(cells: Buffer, start: number, stop: number, lines: Buffer, to: number, inQuotes: boolean): number {
  let end = to
  if (inQuotes) lines[end++] = QUOTE
  for (let place = start; place < stop; place++) {
    const byte = byteAt(cells, place)
    if (byte === QUOTE) lines[end++] = QUOTE
    lines[end++] = byte
  }
  if (inQuotes) lines[end++] = QUOTE
  return end
}

/** Behind the last byte is the end of the last row. */
function byteAt(bytes: Uint8Array, place: number): number {
  return bytes[place] ?? ROW_END
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
