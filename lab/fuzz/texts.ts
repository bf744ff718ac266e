import fc from 'fast-check'

/** Texts that have broken other programs: markup, SQL, paths, format strings, invisible characters, property names. */
const awkward = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\u200b',
  '\u202e\u2066',
  '\ufeff',
  '\ud83d',
  '\udc00\ud800',
  'e\u0301'.repeat(20),
  '👩‍👩‍👧‍👦',
  'İıſK',
  '\r\nSet-Cookie: a=b',
  "'; DROP TABLE rsvps; --",
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}}',
  '$' + '{7*7}',
  '%s%n%00%zz',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  'NaN',
)

/** Any UTF-16, including halves of surrogate pairs. */
const codeUnits = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 })

/** Lengths around the limits of the fields and of the body. */
const long = fc
  .tuple(fc.constantFrom('x', 'ä', '👩‍👧', ' ', '\n'), fc.constantFrom(41, 81, 200, 201, 255, 2000, 2001, 9000, 70_000))
  .map(([unit, length]) => unit.repeat(length).slice(0, length))

/** Any text that a person may type or a program may send. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 3, arbitrary: codeUnits },
  { weight: 3, arbitrary: awkward },
  { weight: 1, arbitrary: long },
)

/** The same, percent-encoded. It is short: messages.ts tries addresses that are too long. */
export const encodedText: fc.Arbitrary<string> = anyText.map((text) =>
  encodeURIComponent(text.slice(0, 400).toWellFormed()),
)
