import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayed, displayedLines, escapedJson, escapedText } from './plain-text.ts'

/** What a terminal would obey, or what turns the letters around it. */
const obeyed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Any text there can be, with control characters and pieces of escape sequences far more often than by chance. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '\x9b', '\x9d', '[', ']', '(', '?', '0', ';', 'm', 'H', '\u0007') }),
      fc.constantFrom('\u001b[2J', '\u001b]0;', '\u001b\\', '\u202e', '\u2028', '\u0085', '\r\n', '\0', '\x7f'),
    ),
  )
  .map((pieces) => pieces.join(''))

describe('displayed', () => {
  it.each([
    ['\u001b[31mAna\u001b[0m', 'a color'],
    ['\u001b[2J\u001b[HAna', 'an emptied screen'],
    ['\u001b[6nAna', 'a question to the terminal'],
    ['\x9b31mAna\x9b0m', 'a color in 8 bits'],
    ['\u001b]0;owned\u0007Ana', 'a window title that ends with BEL'],
    ['\u001b]8;;https://evil.example\u0007Ana\u001b]8;;\u0007', 'a link'],
    ['\u001b]52;c;aGk=\u0007Ana', 'a text for the clipboard'],
  ])('takes %j away: %s', (text) => {
    expect(displayed(text)).toBe('Ana')
  })

  it.each(['\t', '\n', '\r\n', '\0', '\u2028', '\u202e', '\u2066\u202a'])('makes one blank of %j', (control) => {
    expect(displayed(`Ana${control}Cole`)).toBe('Ana Cole')
  })

  it.each(['👨‍👩‍👧‍👦 Family', 'محمد علي', 'e\u0301toile', ' Ana  Cole ', ''])('leaves %j alone', (text) => {
    expect(displayed(text)).toBe(text)
  })
})

describe('displayedLines', () => {
  it('keeps lines, however they end', () => {
    expect(displayedLines('one\ntwo\r\nthree\rfour\n\nsix')).toBe('one\ntwo\nthree\nfour\n\nsix')
  })
})

describe('escapedJson', () => {
  it('escapes what JSON leaves bare and a terminal obeys', () => {
    const json = JSON.stringify({ name: '\x9b31m\x7f\u202eelo C\u2028' })
    expect(escapedJson(json)).toBe('{"name":"\\u009b31m\\u007f\\u202eelo C\\u2028"}')
  })

  it('stays JSON of the same value, with nothing that a terminal obeys', () => {
    const value = fc.oneof(
      hostile,
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.dictionary(hostile, hostile, { noNullPrototype: true }),
    )
    fc.assert(
      fc.property(value, (value) => {
        const json = JSON.stringify(value)
        expect(JSON.parse(escapedJson(json))).toEqual(JSON.parse(json))
        expect(escapedJson(json)).not.toMatch(obeyed)
      }),
      { seed: 1, numRuns: 200 },
    )
  })
})

describe('escapedText', () => {
  it('escapes what a terminal obeys, and leaves cells and lines', () => {
    expect(escapedText('1,\u001b[2J\x9b31m,"a\rb"\t\u202e\r\n2,김민수\n')).toBe(
      '1,\\u001b[2J\\u009b31m,"a\\u000db"\t\\u202e\r\n2,김민수\n',
    )
  })
})

describe('what is left of any text', () => {
  it.each<[string, (text: string) => string]>([
    ['displayed', displayed],
    ['displayedLines, but line feeds', (text) => displayedLines(text).replaceAll('\n', '')],
    ['escapedText, but tabs and the ends of lines', (text) => escapedText(text).replaceAll(/\t|\r?\n/g, '')],
  ])('is nothing that a terminal obeys: %s', (_, shown) => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shown(text)).not.toMatch(obeyed)
      }),
      { seed: 1, numRuns: 200 },
    )
  })
})
