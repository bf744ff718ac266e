import { parse } from 'csv-parse/sync'
import { isValid } from 'date-fns/isValid'
import { restoreCell, separators } from '#db/values/csv.ts'
import { isDay } from '#db/values/dates.ts'
import { UserError } from '#db/values/errors.ts'
import { withPlainDigits } from '#db/values/numbers.ts'
import { type FieldName, fieldsIn } from '#db/values/rsvp-fields.ts'
import { momentOf } from '#db/values/time-zone.ts'
import { COUNTED_TITLE } from './csv.ts'

/** The cells of a row by field, and its number in the file; the first row, usually the titles, is 1. */
export type CsvRow = { row: number; cells: Partial<Record<FieldName, string>> }

/** `fields` are those for which there is a column, `ignored` the titles of all other columns. */
export type CsvContent = { rows: CsvRow[]; fields: (FieldName | undefined)[]; ignored: string[] }

/** In bytes, and in rows including titles and empty ones: all are stored in one transaction. */
export const FILE_MAXIMUM = 5_000_000
const ROWS_MAXIMUM = 5000
const tooMuch = 'The file is too large: at most 5 MB and 5,000 rows. Import it in parts, each with the row of titles.'

/**
 * The rows of a CSV in UTF-8, from `rsvp export` or of another list, with any of our separators.
 * @param map what columns hold that do not have our titles, e.g. `Your name?=Name`.
 * @throws UserError 'invalid' when the file is not CSV, or has no column for a name or a status.
 */
export function readCsv(file: Uint8Array, map: string[] = []): CsvContent {
  if (file.length > FILE_MAXIMUM) throw new UserError('invalid', tooMuch)
  const all = parseRows(textOf(file)).map((cells, at) => ({ row: at + 1, cells }))
  // Spreadsheets leave empty rows between others and at the end.
  const [first, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const titles = first?.cells.map((title) => title.trim()) ?? []
  const fields = findFields(titles, map)
  const ignored = titles.filter((title, at) => title !== '' && title !== COUNTED_TITLE && fields[at] === undefined)
  return { fields, ignored, rows: rows.map(({ row, cells }) => ({ row, cells: cellsByField(cells, fields) })) }
}

/** Several columns for one field are joined, e.g. first and last name. */
function cellsByField(row: string[], fields: CsvContent['fields']): CsvRow['cells'] {
  const cells: CsvRow['cells'] = {}
  for (const [at, field] of fields.entries()) {
    if (field !== undefined) cells[field] = [cells[field], restoreCell(row[at] ?? '')].filter(Boolean).join(' ')
  }
  return cells
}

function textOf(file: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw new UserError('invalid', 'The file is not UTF-8 text. Save it again as “CSV UTF-8”.')
  }
}

function parseRows(text: string): string[][] {
  const [titles = ''] = text.trimStart().split(/[\r\n]/, 1)
  const width = (separator: string) => titles.split(separator).length
  const [delimiter] = Object.values(separators).toSorted((one, other) => width(other) - width(one))
  let rows: string[][]
  try {
    rows = parse(text, { delimiter, relaxColumnCount: true, to: ROWS_MAXIMUM + 1 })
  } catch {
    // The parser's own error would quote the row.
    throw new UserError(
      'invalid',
      'The file cannot be read as CSV: a quotation mark is missing or in a wrong place. Save it again as CSV.',
    )
  }
  if (rows.length > ROWS_MAXIMUM) throw new UserError('invalid', tooMuch)
  return rows
}

/** What leaves out a column in `--map`. */
const IGNORE = 'ignore'

const csvFields = fieldsIn('csv')

/** What each column holds, by our own titles and by `map`. */
function findFields(titles: string[], map: string[]): CsvContent['fields'] {
  const known = new Map<string, FieldName | undefined>(csvFields.map(({ title, name }) => [title.toLowerCase(), name]))
  const added = map.map((pair) => {
    const [title, wanted] = pair
      .toLowerCase()
      .split(/=(?=[^=]*$)/)
      .map((part) => part.trim())
    const isColumn = titles.some((each) => each.toLowerCase() === title)
    if (title === undefined || wanted === undefined || !isColumn || !(wanted === IGNORE || known.has(wanted))) {
      const choices = csvFields.map((field) => field.title).join(', ')
      throw new UserError('invalid', `--map: write the title of a column, =, and one of ${choices} or ${IGNORE}.`)
    }
    return [title, known.get(wanted)] as const
  })
  for (const [title, field] of added) known.set(title, field)
  const fields = titles.map((title) => known.get(title.toLowerCase()))
  const missing = csvFields.filter(({ name }) => ['name', 'attending'].includes(name) && !fields.includes(name))
  if (missing.length === 0) return fields
  const named = missing.map(({ title }) => title)
  throw new UserError(
    'invalid',
    `The file has no column for ${named.join(', ')}. Say which it is with --map, e.g. --map "Your name?=${named[0]}".`,
  )
}

/** What comes first in dates such as 3/4/2026. */
export const dateOrders = ['day-first', 'month-first'] as const

/** How the dates of a file are read; `zone` is that of its moments without a Z. Without an order, years come first. */
export type DatesOfFile = { order: (typeof dateOrders)[number] | undefined; zone: string; now: Date }

const afternoon = /p\.?\s?m|오후|م/i
const forenoon = /a\.?\s?m|오전|ص/i

/** The day of a date in numbers, e.g. `2026-11-28`; undefined for anything else. */
export function readDay(text: string, order: DatesOfFile['order']): string | undefined {
  const [, ...parts] = /^\s*(\d{1,4})[-/.]\s?(\d{1,2})[-/.]\s?(\d{1,4})/.exec(withPlainDigits(text)) ?? []
  if (parts[0]?.length !== 4) {
    if (order === undefined) return undefined
    const year = parts.pop() ?? ''
    if (order === 'day-first') parts.reverse()
    parts.unshift(year.padStart(4, '20'))
  }
  const day = parts.map((part) => part.padStart(2, '0')).join('-')
  return isDay(day) ? day : undefined
}

/** Reads e.g. `28.11.26 14:05` or `2026/11/28 6:03:11 PM` as ISO 8601 in UTC; undefined for an invalid or future moment. */
export function readMoment(text: string, { order, zone, now }: DatesOfFile): string | undefined {
  const day = readDay(text, order)
  const [, clock = '0', rest = ':00'] = /(\d{1,2})(:\d\d(?::\d\d(?:\.\d+)?)?)/.exec(withPlainDigits(text)) ?? []
  const hasHalves = afternoon.test(text) || forenoon.test(text)
  const hour = hasHalves ? (Number(clock) % 12) + (afternoon.test(text) ? 12 : 0) : Number(clock)
  if (day === undefined || hour > 23) return undefined
  const moment = momentOf(/z\s*$/i.test(text) ? 'UTC' : zone, day, String(hour).padStart(2, '0') + rest)
  return isValid(moment) && moment <= now ? moment.toISOString() : undefined
}
