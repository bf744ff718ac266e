import { parse } from 'csv-parse/sync'
import { UserError } from '#db/errors.ts'
import { restoreCell, separators } from '#db/values/csv.ts'
import { COUNTED_TITLE } from './csv.ts'
import { type FieldName, fieldsIn } from './fields.ts'

/** The cells of a row by field, and its number in the file; the first row, usually the titles, is 1. */
export type CsvRow = { row: number; cells: Partial<Record<FieldName, string>> }

/** A column of a file, and the field that it becomes, with our title of it. A column without a field is ignored. */
export type Column = { title: string; field: FieldName | undefined; becomes: string | undefined }

/** `isExport`: the columns are those of `rsvp export`. */
export type CsvContent = { columns: Column[]; rows: CsvRow[]; isExport: boolean }

/**
 * `encoding` is one of the Encoding Standard, e.g. `windows-1252`; `map` says what columns hold, e.g.
 * `Your name?=Name`.
 */
export type ReadOptions = { encoding?: string | undefined; map?: string[] | undefined }

/** In bytes, and in rows including titles and empty ones: all are stored in one transaction. */
export const FILE_MAXIMUM = 5_000_000
const ROWS_MAXIMUM = 5000
const tooMuch = 'The file is too large: at most 5 MB and 5,000 rows. Import it in parts, each with the row of titles.'

const howSaved =
  'Say how it was saved, e.g. --encoding windows-1252 for an older Excel, or save it again as CSV in UTF-8.'

/**
 * The rows of a CSV from `rsvp export`, also if a spreadsheet has saved it again, or of another list: with any of our
 * separators, without a byte order mark, with other line ends, its columns in another order.
 * @throws UserError 'invalid' when the file is not CSV, or what its columns hold is unclear.
 */
export function readCsv(file: Uint8Array, { encoding = 'utf-8', map = [] }: ReadOptions = {}): CsvContent {
  if (file.length > FILE_MAXIMUM) throw new UserError('invalid', tooMuch)
  const rows = parseRows(textOf(file, encoding)).map((cells, at) => ({ row: at + 1, cells }))
  // Spreadsheets leave empty rows between others and at the end.
  const [titles, ...others] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const columns = findColumns(titles?.cells ?? [], map)
  const isExport = (['id', 'serviceDate'] as const).every((name) => columns.some(({ field }) => field === name))
  return { columns, isExport, rows: others.map(({ row, cells }) => ({ row, cells: cellsOf(cells, columns) })) }
}

/** Several columns that hold the same are joined, e.g. first and last name. */
function cellsOf(row: string[], columns: Column[]): CsvRow['cells'] {
  const cells: CsvRow['cells'] = {}
  for (const [at, { field }] of columns.entries()) {
    if (field !== undefined) cells[field] = [cells[field], restoreCell(row[at] ?? '')].filter(Boolean).join(' ')
  }
  return cells
}

function textOf(file: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    const kind = encoding === 'utf-8' ? 'UTF-8 text' : `text in ${encoding}`
    throw new UserError('invalid', `The file is not ${kind}. ${howSaved}`)
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

const fields = fieldsIn('csv')
const required: FieldName[] = ['name', 'attending']

/** Words of the titles that lists of other programs have in our languages, e.g. Google Forms. */
const recognized: [FieldName, RegExp][] = [
  ['email', /e-?mail|correo|courriel|이메일|بريد/iu],
  ['phone', /phone|mobile|\bcell|tel[eé]f|\btel\b|handy|전화|휴대|هاتف|جوال/iu],
  [
    'familyMembers',
    /family (?!name)|fam[ií]l(y$|ia|ie|le$)|gue[s]t|begleit|acomp|accomp|가족|동반|(?<!م ال)عائلة|مرافق/iu,
  ],
  ['attending', /\bcom(e|ing)\b|attend|status|rsvp|join|komm|teil|asist|vendr|viens|virá|partici|présen|참석|حض/iu],
  ['createdAt', /^(date|time ?stamp|zeitst.*|datum|marca t.*|fecha|horod.*|carimbo.*|data|타임스.*|.*طابع.*)$/iu],
  ['message', /message|comment|\bnotes?\b|nachr|merk|kommentar|mensa[jg]|coment|메시지|رسالة/iu],
  ['name', /\bname|name$|nombre|apellido|nom\b|\bnome\b|이름|성함|اسم/iu],
]

/** Finds what each column holds: as `map` says, by our own titles, or by a title of a similar meaning. */
function findColumns(titles: string[], map: string[]): Column[] {
  const known = new Map<string, FieldName | undefined>([
    [keyOf(COUNTED_TITLE), undefined],
    ...fields.map(({ title, name }) => [keyOf(title), name] as const),
    ...map.map((pair) => fieldOfPair(pair, titles)),
  ])
  const isKnown = (title: string) => known.has(keyOf(title))
  const taken = new Set(titles.map((title) => known.get(keyOf(title))))
  const columns = titles.map((title) => {
    const alike = recognized.find(([field, words]) => !taken.has(field) && words.test(title))
    const field = isKnown(title) ? known.get(keyOf(title)) : alike?.[0]
    return { title: title.trim(), field, becomes: titleOf(field) }
  })
  const isShared = ({ field }: Column) => columns.filter((other) => other.field === field).length > 1
  const unclear = columns.filter((column) => column.field && !isKnown(column.title) && isShared(column))
  const missing = required.filter((name) => columns.every(({ field }) => field !== name)).map(titleOf)
  if (unclear.length > 0 || missing.length > 0) throw unclearColumns(unclear, missing)
  return columns
}

function unclearColumns(unclear: Column[], missing: (string | undefined)[]): UserError {
  const [{ title = 'Your name?', becomes = missing[0] } = {}] = unclear
  const titles = unclear.map((column) => JSON.stringify(column.title)).join(', ')
  const sentences = [
    missing.length > 0 && `The file has no column for ${missing.join(', ')}.`,
    unclear.length > 0 && `It is not clear what is in ${titles}.`,
    `Say it with --map, e.g. --map "${title}=${becomes}", or =${IGNORE} to leave a column out.`,
  ]
  return new UserError('invalid', sentences.filter(Boolean).join(' '))
}

/** What `--map` says of a column. */
function fieldOfPair(pair: string, titles: string[]): [string, FieldName | undefined] {
  const [, title = '', wanted = ''] = /^(.*)=([^=]*)$/s.exec(pair) ?? []
  if (!titles.some((each) => keyOf(each) === keyOf(title))) {
    const sentence = `there is no column ${JSON.stringify(title)}. Write its title, = and what it is.`
    throw new UserError('invalid', `--map: ${sentence}`)
  }
  const field = fields.find((each) => keyOf(each.title) === keyOf(wanted))
  if (field === undefined && keyOf(wanted) !== IGNORE) {
    const choices = fields.map((each) => each.title).join(', ')
    throw new UserError('invalid', `--map: give one of ${choices} or ${IGNORE} after the =.`)
  }
  return [keyOf(title), field?.name]
}

function titleOf(field: FieldName | undefined): string | undefined {
  return fields.find(({ name }) => name === field)?.title
}

/** The same for titles that mean the same. */
function keyOf(title: string): string {
  return title.trim().toLowerCase()
}
