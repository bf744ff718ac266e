import { parse } from 'csv-parse/sync'
import { UserError } from '#db/errors.ts'
import { restoreCell, separators } from '#db/values/csv.ts'
import { type Columns, findColumns } from './csv-columns.ts'
import type { FieldName } from './fields.ts'

/** The cells of a row by field, and its number in the file; the first row, usually the titles, is 1. */
export type CsvRow = { row: number; cells: Partial<Record<FieldName, string>> }

/** `isExport`: the columns are those of `rsvp export`. */
export type CsvContent = Columns & { rows: CsvRow[]; isExport: boolean }

/**
 * `raw`: no cell was defused. `encoding` is one of the Encoding Standard, e.g. `windows-1252`; `map` says what columns
 * hold, see `findColumns`.
 */
export type ReadOptions = { raw?: boolean | undefined; encoding?: string | undefined; map?: string[] | undefined }

/** In bytes, and in rows including titles and empty ones. More would take minutes and gigabytes. */
export const FILE_MAXIMUM = 20_000_000
const ROWS_MAXIMUM = 50_000
const tooMuch = `The file is too large: at most 20 MB and ${ROWS_MAXIMUM.toLocaleString('en')} rows. Import it in parts, each with the row of titles.`

const howSaved =
  'Say how it was saved, e.g. --encoding windows-1252 for an older Excel, or save it again as CSV in UTF-8.'

/** The first line by which Excel is told the separator. */
const separatorLine = /^sep=(.)\r?\n/i

/**
 * The rows of a CSV from `rsvp export`, also if a spreadsheet has saved it again, or of another list: with any of our
 * separators, without a byte order mark, with other line ends, its columns in another order.
 */
export function readCsv(file: Uint8Array, { raw = false, encoding, map = [] }: ReadOptions = {}): CsvContent {
  if (file.length > FILE_MAXIMUM) throw new UserError('invalid', tooMuch)
  const text = textOf(file, encoding)
  if (text === undefined) {
    const sentence = `The file is not ${encoding === undefined ? 'UTF-8 text' : `text in ${encoding}`}.`
    throw new UserError('invalid', `${sentence} ${howSaved}`)
  }
  const rows = parseRows(text).map((cells, at) => ({ row: at + 1, cells }))
  const [titles, ...others] = rows.filter(({ cells }) => !isEmpty(cells))
  const texts = others.map(({ cells }) => cells)
  const found = findColumns(titles?.cells ?? [], texts, map)
  const isExport = (['id', 'serviceDate'] as const).every((name) => found.columns.some(({ field }) => field === name))
  return { ...found, isExport, rows: others.map(({ row, cells }) => ({ row, cells: cellsOf(cells, found, raw) })) }
}

/** Spreadsheets leave empty rows between others and at the end. */
function isEmpty(row: string[]): boolean {
  return row.every((cell) => cell.trim() === '')
}

/** Several columns that hold the same are joined, e.g. first and last name. */
function cellsOf(row: string[], { columns }: Columns, raw: boolean): CsvRow['cells'] {
  const cells: CsvRow['cells'] = {}
  for (const [at, { field }] of columns.entries()) {
    if (field === undefined) continue
    const cell = row[at] ?? ''
    cells[field] = [cells[field], raw ? cell : restoreCell(cell)].filter(Boolean).join(' ')
  }
  return cells
}

/** The text of a file; undefined if it was not saved in this encoding, or there is none of this name. */
function textOf(file: Uint8Array, encoding = unicodeOf(file)): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

/** The kind of Unicode that the first bytes say; UTF-8 if they say nothing. */
function unicodeOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

export function isUnicode(file: Uint8Array): boolean {
  return textOf(file) !== undefined
}

function parseRows(text: string): string[][] {
  if (/^\s*[[{]/.test(text)) {
    throw new UserError('invalid', 'This is JSON, not CSV. Import a file that `rsvp export` wrote without --json.')
  }
  const [line = '', separator] = separatorLine.exec(text) ?? []
  const lines = text.slice(line.length)
  const titlesAt = (delimiter: string) => parsed(lines.trimStart(), { delimiter, to: 1 })?.[0]?.length ?? 0
  const delimiters = Object.values(separators).toSorted((one, other) => titlesAt(other) - titlesAt(one))
  const rows = parsed(lines, { delimiter: separator ?? delimiters[0], to: ROWS_MAXIMUM + 1 })
  if (rows === undefined) {
    throw new UserError(
      'invalid',
      'The file cannot be read as CSV: a quotation mark is missing or in a wrong place. Save it again as CSV.',
    )
  }
  if (rows.length > ROWS_MAXIMUM) throw new UserError('invalid', tooMuch)
  return rows
}

/** Undefined for what is not CSV. The parser's own error would quote the row. */
function parsed(text: string, options: { delimiter: string | undefined; to: number }): string[][] | undefined {
  try {
    return parse(text, { ...options, relaxColumnCount: true })
  } catch {
    return undefined
  }
}
