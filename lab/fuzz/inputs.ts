import fc from 'fast-check'
import { featureNames } from '#db/feature/schema.ts'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import type { Settings } from '#db/settings/schema.ts'

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

// JSON is generated as text, because a value in memory has neither duplicate keys nor numbers like 1e999.

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('1e999', '-1e999', '1e-999', '-0', '1.5', '9007199254740993', '9223372036854775808', '1'.repeat(400)),
)
const leaf = fc.oneof(anyText.map(toJson), number, fc.constantFrom('true', 'false', 'null', '[]', '{}', '""'))
const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']), fc.constantFrom(3, 100, 3000))
  .map(([[open = '', close = ''], levels]) => `${open.repeat(levels)}null${close.repeat(levels)}`)
/** Objects that look like texts and lists to a program that only reads their length. */
const impostor = fc.constantFrom(
  '{"length":{"toString":1}}',
  '{"length":1e999}',
  '{"0":"a","length":1}',
  '{"toString":1,"valueOf":1}',
)
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'name', 'length', ''), anyText)

const { value: anyJson } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: fc.oneof(deep, impostor) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 5 }).map((values) => `[${values.join(',')}]`) },
    { weight: 3, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(toObject) },
  ),
}))

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Ana Cole', 'Zoë', '李小龍') },
  fc.string({ unit: 'grapheme', minLength: 2 }),
)
const typedRsvp = fc.record({
  name,
  email: fc.oneof({ weight: 3, arbitrary: fc.constant('ana@cole.example') }, fc.emailAddress()),
  phone: optional(fc.constantFrom('555-0100', '')),
  message: optional(fc.string({ unit: 'grapheme', maxLength: 200 })),
  attending: fc.boolean(),
  addToCalendar: optional(fc.boolean()),
  calendarType: optional(fc.constantFrom('google', 'ical')),
  familyMembers: optional(
    fc.array(fc.record({ name, age: optional(fc.constantFrom('adult', 'teen', 'child')) }), { maxLength: 21 }),
  ),
  volunteerRoles: optional(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 })),
})
/** What nothing is said of above is as in a sample. */
const validRsvp = fc
  .tuple(fc.gen(), typedRsvp)
  .map(([gen, typed]) => ({ ...sampleRsvp(() => gen(fc.nat, { max: 999 }) / 1000, []), ...typed }))
const eventText = fc.string({ unit: 'grapheme', maxLength: 60 })
const validEvent = fc.record({
  title: eventText,
  subtitle: eventText,
  eventTitle: optional(eventText),
  description: eventText,
  date: fc.constantFrom('Sunday', 'January 5, 2025', '2025-02-30', '+275760-09-13', ''),
  time: fc.constantFrom('10:00 AM', '25:61', '10:00 AM - 9:00 AM', ''),
  location: eventText,
  mapLink: optional(fc.oneof(fc.constant('https://maps.example/?q=12+Chapel+Road'), fc.webUrl(), eventText)),
  contact: optional(eventText),
  whatToExpect: optional(eventText),
})
const flag = optional(fc.boolean())

export const rsvpBody = bodyLike(validRsvp)
export const eventBody = bodyLike(validEvent)
export const featuresBody = bodyLike(fc.record(Object.fromEntries(featureNames.map((name) => [name, flag]))))
export const roleBody = bodyLike(
  fc.record({
    name: fc.oneof(fc.constantFrom('Usher', ''), fc.string({ unit: 'grapheme', maxLength: 20 })),
    retired: flag,
  }),
)
export const settingsBody = bodyLike(
  fc.record({
    publicNames: optional(fc.constantFrom('full', 'initial', 'counts', 'none')),
    retentionDays: optional(fc.constantFrom(1, 30, 3650, null)),
  } satisfies Record<keyof Settings, fc.Arbitrary<unknown>>),
)
export const otherBody = bodyLike(fc.record({ name: anyText, value: fc.integer(), enabled: flag }))

/** A sign-in, sometimes with the right password. */
export const sessionBody = (password: string) =>
  bodyLike(fc.record({ password: fc.oneof({ weight: 9, arbitrary: anyText }, fc.constant(password)) }))

/** Fields of a form as a browser sends it: any of the known ones, any number of times. */
export const formBody: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('name=Ana+Cole', 'email=ana%40cole.example', 'attending=true', 'page=%2F', 'page=%2F%2Fevil'),
      fc.constantFrom('action=add-family-member', 'action=remove-family-member:0', 'volunteerRoles=1', '%zz', '=', '&'),
      fc.constantFrom('drawnAt=1763712000000', 'drawnAt=9999999999999', 'website=x', 'action=sign-out', 'password=x'),
      fc.constantFrom('familyMembers.0.name=Joel', 'familyMembers.999.name=Dina', 'familyMembers.0.age=child'),
      fc
        .tuple(fc.constantFrom('name', 'email', 'message', 'attending', 'page', 'action', '__proto__'), encodedText)
        .map((pair) => pair.join('=')),
    ),
    { maxLength: 12 },
  )
  .map((fields) => fields.join('&'))

/** Mostly what the call expects, with wrong, missing, duplicate and additional fields; sometimes any text. */
function bodyLike(valid: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<string> {
  const good = valid.map((fields) => Object.entries(fields).filter(([, value]) => value !== undefined))
  const goodText = good.map((fields) => fields.map(([field, value]): [string, string] => [field, toJson(value)]))
  const wrong = goodText.chain((fields) =>
    fc
      .tuple(
        fc.subarray(fields),
        fc.array(fc.tuple(fc.oneof(fc.constantFrom('__proto__', ...fields.map(([field]) => field)), key), anyJson), {
          maxLength: 3,
        }),
      )
      .map(([kept, added]) => toObject([...kept, ...added])),
  )
  const whole = fc.oneof(
    { weight: 3, arbitrary: wrong },
    { weight: 3, arbitrary: goodText.map(toObject) },
    { weight: 1, arbitrary: anyJson },
  )
  const torn = fc
    .tuple(whole, fc.nat(), anyText)
    .map(([text, at, rest]) => text.slice(0, at % (text.length + 1)) + rest)
  return fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: torn })
}

function toObject(fields: [string, string][]): string {
  return `{${fields.map(([field, value]) => `${toJson(field)}:${value}`).join(',')}}`
}

function toJson(value: unknown): string {
  return JSON.stringify(value)
}
