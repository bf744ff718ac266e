import { parse } from 'csv-parse/sync'
import { UserError } from '#db/errors.ts'
import { restoreCell } from '#db/values/csv.ts'
import { type FieldName, fieldsIn } from './fields.ts'

/** The cells of a row by field, and its number in the file; the first row, usually the titles, is 1. */
export type CsvRow = { row: number; cells: Partial<Record<FieldName, string>> }

/** In bytes, and in rows including titles and empty ones. More would take minutes and gigabytes. */
export const FILE_MAXIMUM = 20_000_000
const ROWS_MAXIMUM = 50_000
const tooMuch = `The file is too large: at most 20 MB and ${ROWS_MAXIMUM.toLocaleString('en')} rows. Import it in parts, each with the row of titles.`

const SEPARATORS = [',', ';', '\t']
const columns = fieldsIn('csv')
const required = ['name', 'attending', 'createdAt'] satisfies FieldName[]

/**
 * The rows of a CSV from `rsvp export`, also if a spreadsheet has saved it again: separated by semicolons or tabs,
 * without a byte order mark, with other line ends, its columns in another order.
 * @param raw whether no cell was defused.
 */
export function readCsv(file: Uint8Array, { raw = false } = {}): CsvRow[] {
  const rows = parseRows(decode(file)).map((cells, at) => ({ row: at + 1, cells }))
  const [titles, ...others] = rows.filter(({ cells }) => !isEmpty(cells))
  const fields = (titles?.cells ?? []).map((title) => columns.find((column) => column.title === title.trim())?.name)
  const missing = columns.filter(({ name }) => required.some((field) => field === name) && !fields.includes(name))
  if (missing.length > 0) {
    const names = missing.map(({ title }) => title).join(', ')
    throw new UserError(
      'invalid',
      `This is no CSV of \`rsvp export\`: it has no column ${names}. Choose another file, or name its columns as there.`,
    )
  }
  return others.map(({ row, cells }) => ({ row, cells: cellsOf(cells, fields, raw) }))
}

/** Spreadsheets leave empty rows between others and at the end. */
function isEmpty(row: string[]): boolean {
  return row.every((cell) => cell.trim() === '')
}

function cellsOf(row: string[], fields: (FieldName | undefined)[], raw: boolean): CsvRow['cells'] {
  const named = fields.flatMap((field, at) => {
    const cell = row[at] ?? ''
    return field === undefined ? [] : [[field, raw ? cell : restoreCell(cell)]]
  })
  return Object.fromEntries(named)
}

function decode(file: Uint8Array): string {
  if (file.length > FILE_MAXIMUM) throw new UserError('invalid', tooMuch)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw new UserError('invalid', 'The file is not UTF-8 text. Save it again as CSV in UTF-8.')
  }
}

function parseRows(text: string): string[][] {
  if (/^\s*[[{]/.test(text)) {
    throw new UserError('invalid', 'This is JSON, not CSV. Import a file that `rsvp export` wrote without --json.')
  }
  const [titles = ''] = text.trimStart().split(/[\r\n]/, 1)
  const [delimiter = ','] = SEPARATORS.toSorted((one, other) => titles.split(other).length - titles.split(one).length)
  let rows: string[][]
  try {
    rows = parse(text, { delimiter, relaxColumnCount: true, to: ROWS_MAXIMUM + 1 })
  } catch {
    // Its own error quotes the row.
    throw new UserError(
      'invalid',
      'The file cannot be read as CSV: a quotation mark is missing or in a wrong place. Save it again as CSV.',
    )
  }
  if (rows.length > ROWS_MAXIMUM) throw new UserError('invalid', tooMuch)
  return rows
}
