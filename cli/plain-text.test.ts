import fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayed, displayedLines, escapedJson, escapedText } from './plain-text.ts'

/** Characters that a terminal would obey, or that reverse text. */
const obeyed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Any text, with far more control characters and pieces of escape sequences than by chance. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '\x9b', '\x9d', '[', ']', '(', '?', '0', ';', 'm', 'H', '\u0007') }),
      fc.constantFrom('\u001b[2J', '\u001b]0;', '\u001b\\', '\u202e', '\u2028', '\u0085', '\r\n', '\0', '\x7f'),
    ),
  )
  .map((pieces) => pieces.join(''))

it.each([
  ['\u001b[31mAna\u001b[0m', 'Ana'],
  ['\u001b[2J\u001b[HAna\u001b[6n', 'Ana'],
  ['\x9b31mAna\x9b0m', 'Ana'],
  ['\u001b]0;owned\u0007Ana', 'Ana'],
  ['\u001b]8;;https://evil.example\u0007Ana\u001b]8;;\u0007', 'Ana'],
  ['Ana\r\n\t\0\u2028\u202eCole', 'Ana Cole'],
  ['👨‍👩‍👧‍👦 محمد  e\u0301toile ', '👨‍👩‍👧‍👦 محمد  e\u0301toile '],
])('displayed makes of %j: %j', (text, expected) => {
  expect(displayed(text)).toBe(expected)
})

it('displayedLines keeps lines, however they end', () => {
  expect(displayedLines('one\ntwo\r\nthree\rfour\n\nsix')).toBe('one\ntwo\nthree\nfour\n\nsix')
})

it('escapedText escapes what a terminal obeys, and leaves cells and lines', () => {
  expect(escapedText('1,\u001b[2J\x9b31m,"a\rb"\t\u202e\r\n2,김민수\n')).toBe(
    '1,\\u001b[2J\\u009b31m,"a\\u000db"\t\\u202e\r\n2,김민수\n',
  )
})

it.each<[string, (text: string) => string]>([
  ['displayed', displayed],
  ['displayedLines, but line feeds', (text) => displayedLines(text).replaceAll('\n', '')],
  ['escapedText, but tabs and the ends of lines', (text) => escapedText(text).replaceAll(/\t|\r?\n/g, '')],
  [
    'escapedJson, and the value stays',
    (text) => {
      const json = escapedJson(JSON.stringify({ [text]: text }))
      expect(JSON.parse(json)).toEqual({ [text]: text })
      return json
    },
  ],
])('nothing that a terminal obeys is left: %s', (_, shown) => {
  const property = fc.property(hostile, (text) => {
    expect(shown(text)).not.toMatch(obeyed)
  })
  fc.assert(property, { seed: 1, numRuns: 200 })
})
