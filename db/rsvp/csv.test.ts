import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CsvOptions, csvLines, defuseCell, restoreCell } from '#db/values/csv.ts'
import { ageGroups, calendarTypes, type StoredRsvp } from '#db/values/rsvp.ts'
import { cellsOf, cellTitles } from '#db/values/rsvp-fields.ts'
import { leastRsvp } from '#db/values/rsvp-fixtures.ts'
import { openForTests, testCall, testStoredRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { csvDocument, exportFileName } from './csv.ts'

openForTests()

/** The line of a response as a CSV has it. */
async function linesOf(changes: Parameters<typeof testStoredRsvp>[1], options?: Parameters<typeof csvDocument>[1]) {
  async function* page() {
    yield [testStoredRsvp(12, changes)]
  }
  const [, ...lines] = await Array.fromAsync(csvDocument(page(), options))
  return lines.join('')
}

describe('the CSV', () => {
  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ] as const)(
    'opens with a byte order mark and the ten columns, others behind them, each after a %s',
    async (separator, sign) => {
      const titles =
        'Id,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed,Counted'
      async function* none() {}
      const pieces = await Array.fromAsync(csvDocument(none(), { separator }))
      expect(pieces).toEqual([`\uFEFF${titles.replaceAll(',', sign)}\r\n`])
      expect(await linesOf({ message: 'a,b;c\td' }, { separator })).toContain([sign, sign].join('"a,b;c\td"'))
    },
  )

  it('protects what a spreadsheet would turn into something else, but no number or date of ours', async () => {
    const texts = { name: 'True', phone: '01712345678', message: '=1/2' }
    expect(await linesOf(texts)).toBe(
      "12,'True,ana@cole.example,'01712345678,'=1/2,Attending,,,,2025-01-05T14:00:00.000Z,2025-01-11,,yes\r\n",
    )
    expect(await linesOf(texts, { raw: true })).toContain(',01712345678,=1/2,')
  })

  it('writes family and roles as lists, and quotes where it must', async () => {
    const line = await linesOf({
      message: 'One, "two"\nthree',
      attending: false,
      calendarType: 'ical',
      familyMembers: [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', age: null, attending: false },
        { name: 'Ida Cole', age: 'adult', attending: false },
      ],
      volunteerSignups: [{ role: { id: 2, name: 'Usher' } }, { role: { id: 3, name: 'Music' } }],
    })
    expect(line).toBe(
      '12,Ana Cole,ana@cole.example,,"One, ""two""\nthree",Not Attending,' +
        '"Joel Cole (child); Dina Cole (not attending); Ida Cole (adult, not attending)","Usher; Music",iCal,2025-01-05T14:00:00.000Z,2025-01-11,,yes\r\n',
    )
  })

  it('counts no people of a service that is skipped, as the statistics do', async () => {
    await changeSchedule({ skippedDates: ['2025-01-11'] }, testCall())
    expect(await linesOf({ message: 'A' })).toMatch(/,no\r\n$/)
    await changeSchedule({ skippedDates: [] }, testCall())
  })

  it.each([...'=+-@\t\r\n|%＝＋－＠', "'=1", ' =1', "' =1"])('puts one apostrophe before %j', (value) => {
    expect(defuseCell(value)).toBe(`'${value}`)
    expect(restoreCell(`'${value}`)).toBe(value)
  })

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['hello\n=1+1', "hello\n'=1+1"],
    ["a;'=1", "a;''=1"],
    ['=1;=1', "'=1;'=1"],
  ])('puts one apostrophe into %j after what other spreadsheets split at: %j', (value, cell) => {
    expect(defuseCell(value)).toBe(cell)
    expect(restoreCell(cell)).toBe(value)
  })

  const numbers = '01712345678|1-2|1/2|1 1/2|12:30|6:03 PM|TRUE|wahr|1e5|4.9E+11|٨٧|８７|50%'.split('|')
  const dates = '28.11.2026|Nov 28, 2026|28. Nov|Sa, 28. Nov 2026|28 de noviembre de 2026|2026-11-28T10:00Z'.split('|')
  it.each([...numbers, ...dates, '$5', '5 €', '(5)', "1'234", '1,-2', ' 5', "'5", '491712345678901234'])(
    'keeps %j a text for spreadsheets',
    (value) => {
      expect(defuseCell(value)).toMatch(/^'/)
      expect(restoreCell(defuseCell(value))).toBe(value)
    },
  )

  const harmless = "Ana|'tis|O'Neil|Ana Cole 2|We are 5 people|a=b||Usher; Music|a; 'tis|a;b=1|a;\n;".split('|')
  it.each(harmless)('leaves %j alone', (value) => {
    expect(defuseCell(value)).toBe(value)
    expect(restoreCell(value)).toBe(value)
  })

  it('leaves the formula of another program as it is when it reads one', () => {
    expect(restoreCell('=1+1')).toBe('=1+1')
  })

  it('is reversible, never a live formula wherever a spreadsheet splits it, and keeps every cell in its place', () => {
    fc.assert(cellProperty, { seed: 1, numRuns: 1000 })
    for (const property of [fileProperty, splitProperty]) fc.assert(property, { seed: 1, numRuns: 20 })
  })
})

describe('the name of an exported file', () => {
  it.each([
    [{}, 'rsvps-2026-11-21.csv'],
    [{ week: '2026-11-28' }, 'rsvps-week-2026-11-28.csv'],
    [{ week: '2026-11-28', isSelection: true }, 'rsvps-week-2026-11-28-selection.csv'],
  ])('of %j is %s', async (held, name) => {
    expect(await exportFileName(new Date('2026-11-21T12:00:00Z'), 'csv', held)).toBe(name)
  })
})

/** What a spreadsheet takes for a formula: one of these characters first, after blanks and apostrophes. */
const live = /^[\s']*[=+\-@|%＝＋－＠]/

const units = Array.from('=+-@|%＝＋－＠\'",; \t\r\n\ufeffa1')
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...units), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // Without NUL, which storage refuses. It also refuses halves of surrogate pairs, which 'binary' never generates.
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
)
const typed = { name: cell, email: cell, phone: fc.option(cell), message: fc.option(cell) }
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
