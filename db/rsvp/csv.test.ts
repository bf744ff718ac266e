import { describe, expect, it } from 'vitest'
import { openForTests, testStoredRsvp } from '#db/fixtures.ts'
import { csvLines, defuseCell, restoreCell } from '#db/values/csv.ts'
import { csvDocument, exportFileName } from './csv.ts'
import { fuzzCsv } from './csv-properties-fixtures.ts'
import { cellsOf } from './fields.ts'

const linesOf = (changes: Parameters<typeof testStoredRsvp>[1], options?: Parameters<typeof csvLines>[1]) =>
  csvLines([cellsOf(testStoredRsvp(12, changes))], options)

describe('the CSV', () => {
  it('opens with a byte order mark and the ten columns, the service and the change behind them', async () => {
    const titles = 'Id,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed'
    async function* page() {
      yield [testStoredRsvp(12, { message: '=1+1' })]
    }
    for (const raw of [undefined, true]) {
      const pieces: string[] = []
      for await (const piece of csvDocument(page(), { raw })) pieces.push(piece)
      expect(pieces).toEqual([`\uFEFF${titles}\r\n`, linesOf({ message: '=1+1' }, { raw })])
    }
  })

  it('writes family and roles as lists, and quotes where it must', () => {
    const line = linesOf({
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
        '"Joel Cole (child); Dina Cole (not attending); Ida Cole (adult, not attending)","Usher; Music",iCal,2025-01-05T14:00:00.000Z,2025-01-11,\r\n',
    )
  })

  it('defuses formulas, unless a program asks for them as they are', () => {
    const response = { message: '=1+1' }
    expect(linesOf(response)).toContain(",'=1+1,")
    expect(linesOf(response, { raw: true })).toContain(',=1+1,')
  })

  it.each([...'=+-@\t\r\n|%＝＋－＠', "'=1", ' =1', "' =1"])('puts one apostrophe before %j', (value) => {
    expect(defuseCell(value)).toBe(`'${value}`)
    expect(restoreCell(`'${value}`)).toBe(value)
  })

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['hello\n=1+1', "hello\n'=1+1"],
    ['a;"=1+1', 'a;\'"=1+1'],
    ["a;'=1", "a;''=1"],
    ['a;\t=1', "a;\t'=1"],
    ['=1;=1', "'=1;'=1"],
    ['\n=1', "'\n'=1"],
    ['；=1;＝1', "；=1;'＝1"],
  ])('puts one apostrophe into %j after what other spreadsheets split at: %j', (value, cell) => {
    expect(defuseCell(value)).toBe(cell)
    expect(restoreCell(cell)).toBe(value)
  })

  it.each(['Ana', "'tis", "O'Neil", '1-2', 'a=b', '', 'Usher; Music', "a; 'tis", 'a;b=1', 'a;\n;'])(
    'leaves %j alone',
    (value) => {
      expect(defuseCell(value)).toBe(value)
      expect(restoreCell(value)).toBe(value)
    },
  )

  it('leaves the formula of another program as it is when it reads one', () => {
    expect(restoreCell('=1+1')).toBe('=1+1')
  })

  it('is reversible, never a live formula wherever a spreadsheet splits it, and keeps every cell in its place', () => {
    const findings = Object.values(fuzzCsv({ seed: 1, cells: 1000 })).flatMap((tally) => tally.findings)
    expect(findings).toEqual([])
  })
})

describe('the name of an exported file', () => {
  openForTests()

  it.each([
    [{}, 'rsvps-2026-11-21.csv'],
    [{ week: '2026-11-28' }, 'rsvps-week-2026-11-28.csv'],
    [{ week: '2026-11-28', isSelection: true }, 'rsvps-week-2026-11-28-selection.csv'],
  ])('of %j is %s', async (held, name) => {
    expect(await exportFileName(new Date('2026-11-21T12:00:00Z'), 'csv', held)).toBe(name)
  })
})
