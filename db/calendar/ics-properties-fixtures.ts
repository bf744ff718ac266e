import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { testEvent } from '#db/fixtures.ts'
import { readCalendar, sharePage, testSeries } from './calendar-fixtures.ts'
import { writeCalendar } from './ics.ts'

const NOW = new Date('2026-11-22T12:00:00Z')

const awkward = fc.constantFrom(
  ...Array.from('\\;,:"\r\n\t =\u0085\u2028\u0007é安🎵'),
  ...['👨‍👩‍👧‍👦', '\\n', 'BEGIN:VEVENT\r\n', 'END:VEVENT\n'],
)
/** What an administrator can store as a text of the event: no NUL and no half of a surrogate pair. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    fc.string({ unit: awkward, minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  )
  .map((generated) => generated.replaceAll('\0', ' '))

/** Tried before what is generated. */
const examples = [
  'Songs, prayers; and a \\ backslash',
  'One\nline\r\nand\ranother\u2028one',
  'Familie 👨‍👩‍👧‍👦 Größe 安息日 🎵'.repeat(20),
  'BEGIN:VEVENT\r\nUID:other\r\nEND:VEVENT',
  '  \t blanks  \\n \\, "quoted": =1+1 ',
  'controls \u0007\u001b[31m',
].map((example): [string] => [example])

/** Writes calendars with generated texts, and reads them. @throws Error with a counterexample. */
export function checkCalendars(): void {
  fc.assert(fc.property(text, checkKept), { seed: 1, numRuns: 100, examples })
}

/** @throws Error unless a calendar with this text in all places is one event that still has it. */
function checkKept(typed: string): void {
  const event = testEvent({ title: typed, eventTitle: typed, description: typed, location: typed })
  const file = writeCalendar(testSeries({}, { event }), sharePage, NOW)
  const { calendar, text: read } = readCalendar(file)
  const kept = keptOf(typed)
  const found = [
    calendar.getFirstPropertyValue('x-wr-calname'),
    ...['summary', 'location', 'description', 'url'].map(read),
  ]
  const expected = [kept, kept, kept, `${kept}\n\n${sharePage}`, sharePage]
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${JSON.stringify(typed)} was read as ${JSON.stringify(found)}.`)
  const wrong = file.split('\r\n').find((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))
  if (wrong !== undefined) throw new Error(`This line is too long or broken: ${JSON.stringify(wrong)}`)
  if (summaryIn(file) !== kept) throw new Error(`Without a library it was read as ${JSON.stringify(summaryIn(file))}.`)
}

/** One kind of line break, and no control character but the tab. */
function keptOf(typed: string): string {
  const oneBreak = typed.replaceAll('\r\n', '\n').replaceAll(/[\r\u0085\u2028\u2029]/g, '\n')
  return Array.from(oneBreak)
    .filter((character) => character === '\n' || character === '\t' || (character >= ' ' && character !== '\x7f'))
    .join('')
}

function summaryIn(file: string): string | undefined {
  const [, summary] = /\r\nSUMMARY:(.*)\r\n/.exec(file.replaceAll('\r\n ', '')) ?? []
  return summary?.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
}
