import { describe, expect, it } from 'vitest'
import { openForTests, testCall, testStoredRsvp } from '#db/fixtures.ts'
import { defuseCell, restoreCell } from '#db/values/csv.ts'
import { csvDocument, exportFileName } from './csv.ts'
import { checkCsv } from './csv-properties-fixtures.ts'
import { changeSchedule } from './service-dates.ts'

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
    expect(checkCsv).not.toThrow()
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
