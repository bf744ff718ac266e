import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type CsvOptions, csvLines, defuseCell, restoreCell } from '#db/values/csv.ts'
import { cellsOf, cellTitles } from './fields.ts'
import { exportedMembers } from './read-texts.ts'
import { leastRsvp } from './rsvp-fixtures.ts'
import { ageGroups, calendarTypes, type StoredRsvp } from './schema.ts'

/** What a spreadsheet takes for a formula: one of these characters first, after blanks and apostrophes. */
const live = /^[\s']*[=+\-@|%＝＋－＠]/

const units = Array.from('=+-@|%＝＋－＠\'",; \t\r\n\ufeffa1')
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...units), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // Without NUL, which storage refuses. It also refuses halves of surrogate pairs, which 'binary' never generates.
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
)
/** Whatever people type is in it, or the type checker names it. */
type TypedField = {
  [Name in keyof StoredRsvp]: string extends NonNullable<StoredRsvp[Name]> ? Name : never
}[keyof StoredRsvp]
const typed = { name: cell, email: cell, phone: fc.option(cell), message: fc.option(cell) } satisfies Record<
  Exclude<TypedField, 'createdAt' | 'deletedAt' | 'changedAt' | 'serviceDate'>,
  fc.Arbitrary<string | null>
>
const response: fc.Arbitrary<StoredRsvp> = fc
  .record({
    ...typed,
    id: fc.nat(),
    attending: fc.boolean(),
    calendarType: fc.option(fc.constantFrom(...calendarTypes)),
    familyMembers: fc.array(
      fc.record({ name: cell, age: fc.option(fc.constantFrom(...ageGroups)), attending: fc.boolean() }),
      { maxLength: 2 },
    ),
    volunteerSignups: fc.array(fc.record({ role: fc.record({ id: fc.nat(), name: cell }) }), { maxLength: 2 }),
  })
  .map((fields) => ({ ...leastRsvp, ...fields }))

/** A cell is read back unchanged, and is never a live formula. */
const cellProperty = fc.property(cell, (value) => expectSafe(defuseCell(value), value))

/** The same for every cell of a file; none runs into the next one. */
const fileProperty = fc.property(fc.array(response, { minLength: 1, maxLength: 10 }), (responses) =>
  expectSafeFile(responses),
)

/** Separators that spreadsheets use; LibreOffice proposes all three together. */
const splits = [',', ';', '\t', ',;\t']

/** There is no live formula either where a spreadsheet splits at something other than our separator. */
const splitProperty = fc.property(fc.array(response, { minLength: 1, maxLength: 5 }), (responses) => {
  for (const separator of ['comma', 'semicolon', 'tab'] as const) {
    const csv = csvOf(responses, { separator })
    for (const separators of splits) expectNothingLive(cellsSplitAt(separators, csv))
  }
})

const name = cell.map((text) => text.trim()).filter((text) => text !== '')
const member = fc.record({
  name: fc.oneof(
    name,
    name.map((text) => `${text} (child)`),
    name.map((text) => `${text} (not attending)`),
  ),
  age: fc.option(fc.constantFrom(...ageGroups), { nil: undefined }),
  attending: fc.boolean(),
})

/** The members of a family are read back unchanged. */
const memberProperty = fc.property(fc.array(member, { maxLength: 4 }), (members) => {
  const stored = members.map(({ age = null, ...rest }) => ({ ...rest, age }))
  const [, , , , , , written = ''] = cellsOf({ ...leastRsvp, familyMembers: stored })
  const read = JSON.stringify(exportedMembers(written).map(({ name, age, attending }) => ({ name, age, attending })))
  if (read !== JSON.stringify(members)) throw new Error(`${JSON.stringify(written)} was read as ${read}.`)
})

/** Checks all properties. @throws Error with a counterexample. */
export function checkCsv(): void {
  fc.assert(cellProperty, { seed: 1, numRuns: 1000 })
  for (const property of [fileProperty, splitProperty]) fc.assert(property, { seed: 1, numRuns: 20 })
  fc.assert(memberProperty, { seed: 1, numRuns: 20 })
}

function expectSafeFile(responses: StoredRsvp[]): void {
  const [, ...rows]: string[][] = parse(csvOf(responses))
  if (rows.length !== responses.length) throw new Error(`${rows.length} lines for ${responses.length} responses.`)
  for (const [index, one] of responses.entries()) {
    const [expected, cells] = [cellsOf(one), rows[index] ?? []]
    if (cells.length !== expected.length) throw new Error(`A line of ${cells.length} cells: ${JSON.stringify(one)}`)
    for (const [column, value] of expected.entries()) expectSafe(cells[column] ?? '', value)
  }
}

function csvOf(responses: StoredRsvp[], options?: CsvOptions): string {
  return csvLines([cellTitles, ...responses.map(cellsOf)], options)
}

function expectSafe(written: string, value: string): void {
  const shown = JSON.stringify(written)
  if (restoreCell(written) !== value) throw new Error(`${JSON.stringify(value)} was written as ${shown}.`)
  if (/^[\d .,:/()-]*\d[\d .,:/()-]*$/.test(written) && !written.startsWith("'"))
    throw new Error(`${shown} is a number.`)
  if (live.test(written) && !written.startsWith("'")) throw new Error(`${shown} is a live formula.`)
}

function expectNothingLive(cells: string[]): void {
  const found = cells.find((cell) => /^\s*[=+\-@|%＝＋－＠]/.test(cell))
  if (found !== undefined) throw new Error(`${JSON.stringify(found)} is a live formula where a cell was split.`)
}

/**
 * Cells as spreadsheets that split at these characters read them: a quote counts only at the beginning of a cell, and text
 * after the closing quote belongs to the cell.
 */
function cellsSplitAt(separators: string, csv: string): string[] {
  const bare = `[^${separators}\\r\\n]*`
  return Array.from(
    csv.matchAll(new RegExp(`(?:"((?:[^"]|"")*)"?)?(${bare})(?:[${separators}\\r\\n]|$)`, 'g')),
    (found) => {
      const [, quoted = '', rest = ''] = found
      return quoted.replaceAll('""', '"') + rest
    },
  )
}
