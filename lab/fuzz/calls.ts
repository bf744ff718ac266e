import fc from 'fast-check'
import * as z from 'zod/mini'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import type { Shape } from '../../scripts/documents/http.ts'
import type { Call } from '../load.ts'

export const PASSWORD = 'a password only for these runs'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Texts that have broken other programs: markup, SQL, paths, format strings, invisible characters, property names. */
const awkward = fc.constantFrom(
  ...['', ' ', '\0', 'a\0b', '\u200b', '\u202e\u2066', '\ufeff', '\ud83d', '\udc00\ud800', 'e\u0301'.repeat(20)],
  ...['👩‍👩‍👧‍👦', 'İıſK', '\r\nSet-Cookie: a=b', "'; DROP TABLE rsvps; --", '"><img src=x onerror=alert(1)>'],
  ...['</script><script>alert(1)</script>', '{{7*7}}', '$' + '{7*7}', '%s%n%00%zz', '../../etc/passwd', '__proto__'],
  ...['constructor', 'toString', 'undefined', 'NaN', PASSWORD, '//evil.example', 'ana@cole.example', '10:00 AM'],
)
/** Lengths around the limits of the fields and of the body. */
const long = fc
  .tuple(fc.constantFrom('x', 'ä', '👩‍👧', ' ', '\n'), fc.constantFrom(41, 81, 200, 201, 255, 2000, 2001, 9000, 70_000))
  .map(([unit, length]) => unit.repeat(length).slice(0, length))
/** Any text that a person may type or a program may send, also with halves of surrogate pairs. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 40 }) },
  { weight: 3, arbitrary: awkward },
  { weight: 1, arbitrary: long },
)
/** The same, percent-encoded. It is short: messages.ts tries addresses that are too long. */
const encodedText = anyText.map((text) => encodeURIComponent(text.slice(0, 400).toWellFormed()))

// JSON is generated as text, because a value in memory has neither duplicate keys nor numbers like 1e999.

const toJson = (value: unknown) => JSON.stringify(value)
const toObject = (fields: [string, string][]) =>
  `{${fields.map(([field, value]) => `${toJson(field)}:${value}`).join(',')}}`

const awkwardJson = fc.constantFrom(
  ...['1e999', '-1e999', '1e-999', '-0', '1.5', '9007199254740993', '9223372036854775808', '1'.repeat(400)],
  ...['true', 'false', 'null', '[]', '{}', '"2025-02-30"', '"+275760-09-13"'],
  // Objects that look like texts and lists to a program that only reads their length.
  ...['{"length":{"toString":1}}', '{"length":1e999}', '{"0":"a","length":1}', '{"toString":1,"valueOf":1}'],
)
const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']), fc.constantFrom(3, 100, 3000))
  .map(([[open = '', close = ''], levels]) => `${open.repeat(levels)}null${close.repeat(levels)}`)
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'name', 'length', ''), anyText)
const { value: anyJson } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: fc.oneof(anyText.map(toJson), fc.double().map(toJson), awkwardJson) },
    { weight: 1, arbitrary: deep },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 5 }).map((values) => `[${values.join(',')}]`) },
    { weight: 3, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(toObject) },
  ),
}))

/** Values that fit the schema; a rule outside it may refuse them. */
function fitting({ type, enum: choices, const: only, anyOf, items = {}, properties, required }: Shape) {
  let fits: fc.Arbitrary<unknown> = fc.string({ unit: 'grapheme', maxLength: 60 })
  if (choices !== undefined) fits = fc.constantFrom(...choices)
  else if (only !== undefined) fits = fc.constant(only)
  else if (anyOf !== undefined) fits = fc.oneof(...anyOf.map(fitting))
  else if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, shape]) => [name, fitting(shape)])
    fits = fc.record<Record<string, unknown>, string>(Object.fromEntries(fields), { requiredKeys: required ?? [] })
  } else if (type === 'array') fits = fc.array(fitting(items), { maxLength: 5 })
  else if (type === 'boolean') fits = fc.boolean()
  else if (type === 'integer' || type === 'number') fits = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer())
  else if (type === 'null') fits = fc.constant(null)
  return fits
}

/** A sample, of which some fields have any value that fits the schema: most of these are stored. */
function rsvpLike(shape: Shape): fc.Arbitrary<Record<string, unknown>> {
  const odd = fc.record<Record<string, unknown>>({ odd: fitting(shape) })
  return fc.tuple(fc.gen(), odd, fc.subarray(Object.keys(shape.properties ?? {}), { maxLength: 3 })).map((parts) => {
    const [gen, { odd: fields }, names] = parts
    const chosen = Object.entries(Object(fields)).filter(([name]) => names.includes(name))
    return { ...sampleRsvp(() => gen(fc.nat, { max: 999 }) / 1000, [1, 2, 3]), ...Object.fromEntries(chosen) }
  })
}

/** Mostly what the call expects, with wrong, missing, duplicate and additional fields; sometimes any text. */
function bodyLike(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const good = valid.map((fields) => Object.entries(Object(fields)).filter(([, value]) => value !== undefined))
  const goodText = good.map((fields) => fields.map(([field, value]): [string, string] => [field, toJson(value)]))
  const wrong = goodText.chain((fields) => {
    const name = fc.oneof(fc.constantFrom('__proto__', ...fields.map(([field]) => field)), key)
    const added = fc.array(fc.tuple(name, anyJson), { maxLength: 3 })
    return fc.tuple(fc.subarray(fields), added).map(([kept, more]) => toObject([...kept, ...more]))
  })
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

const formFields = [
  'name=Ana+Cole email=ana%40cole.example attending=true volunteerRoles=1 website=x password=x',
  'familyMembers.0.name=Joel familyMembers.999.name=Dina familyMembers.0.age=child action=add-family-member',
  'action=remove-family-member:0 action=sign-out page=%2F page=%2F%2Fevil',
  'drawnAt=1763712000000 drawnAt=9999999999999 %zz = &',
].flatMap((line) => line.split(' '))
const formField = fc.oneof(
  fc.constantFrom(...formFields),
  fc.tuple(fc.constantFrom('name', 'email', 'message', 'page', 'action', '__proto__'), encodedText).map(joined),
)
/** Fields of a form as a browser sends it: any of the known ones, any number of times. */
const formBody: fc.Arbitrary<string> = fc.array(formField, { maxLength: 12 }).map((fields) => fields.join('&'))

const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '+1', '1e3', '01', '%31', '1'.repeat(16), '__proto__', '%00') },
  { weight: 1, arbitrary: fc.oneof(encodedText, fc.constant('2026-11-21')) },
)

type Bare = { method: string; path: string; type: string; body?: string | undefined }

const page = fc.oneof(
  fc.constantFrom(
    ...['/', '/share', '/admin', '/privacy', '/answer', '/calendar.ics', '/_image', '/500', '/assets/x.js', '/.env'],
    ...['/api', '/api/', '/api/rsvps/', '/API/rsvp', '/share/'],
  ),
  encodedText.map((text) => `/${text}`),
)
const route: fc.Arbitrary<Bare> = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(...(Object.keys(calls) as (keyof typeof calls)[]).map(described)) },
  { weight: 7, arbitrary: described('POST /api/rsvp') },
  { weight: 8, arbitrary: page.map((path) => ({ method: 'GET', path, type: '' })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('/api/rsvp', '/api/session', '/api/answer'), formBody)
      .map(([path, body]) => ({ method: 'POST', path, type: FORM_TYPE, body })),
  },
)

/** A call from the table, with input that it takes. */
function described(name: keyof typeof calls): fc.Arbitrary<Bare> {
  const { input, upload }: CallDescription = calls[name]
  const [method = '', route = ''] = name.split(' ')
  const shape = input === undefined ? {} : (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape)
  const json = bodyLike(/^POST \/api\/rsvps?$/.test(name) ? rsvpLike(shape) : fitting(shape))
  const body = upload === undefined ? json : anyText
  return fc.record({
    method: fc.constantFrom(method, ...(method === 'GET' ? ['HEAD'] : [])),
    path: id.map((value) => route.replace(/\[\w+\]/, () => value)),
    type: fc.constant(upload === undefined ? 'application/json' : 'image/png'),
    body: method === 'GET' ? fc.constant(undefined) : body,
  })
}

/** The query of an address, with its question mark. */
const query: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('?', '?&&=', '?%zz', '?a=%ff', '?limit=1&limit=2', `?${'a'.repeat(2100)}`) },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc
          .tuple(
            fc.oneof(
              fc.constantFrom('limit', 'before', 'status', 'since', 'deleted', 'q', 'key', 'thanks'),
              encodedText,
            ),
            fc.oneof(
              fc.constantFrom('1', '200', '1001', '-1', 'attending', 'true', '2026-11-21T00:00:00Z'),
              encodedText,
            ),
          )
          .map(joined),
        { minLength: 1, maxLength: 3 },
      )
      .map((pairs) => `?${pairs.join('&')}`),
  },
)

// Without characters that Node's client refuses to send in a header; messages.ts tries broken headers.
const headerText = anyText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000))
const header: fc.Arbitrary<[string, string]> = fc.oneof(
  named('idempotency-key', 'key-1', 'key-2', 'x'.repeat(201), ''),
  named('link-key', 'unknown', ''),
  named('form-age', '0', '1e9', '-1', 'NaN'),
  named('if-none-match', '*', '"x"', 'W/"x", "y"', ''),
  named('if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT', 'yesterday'),
  named('accept-encoding', 'br', 'gzip;q=0', '*', 'identity;q=0', '*;q=0', 'br;q=9, gzip', 'deflate', ',,;;'),
  named('range', 'bytes=0-1', 'bytes=9-2', 'bytes=-0', 'bytes=0-0,2-2', 'bytes=99999999999999999999-', 'lines=1-2'),
  named('content-type', 'application/json; charset=utf-16', FORM_TYPE, 'multipart/form-data', 'text/*', ';'),
  named('content-encoding', 'gzip', 'identity'),
  named('cookie', 'a=b', 'session=1; session=2', '=', '; ; ;', 'a="', '__proto__=1'),
  named('accept', 'text/html', 'application/json', '*/*;q=0', 'x'),
  named('accept-language', 'de', '*', 'x-klingon;q=2'),
  named('origin', 'null', 'http://evil.example', 'http://localhost', 'x'),
  named('referer', 'http://evil.example/', 'about:blank', '/'),
  named('sec-fetch-site', 'same-origin', 'cross-site', 'none'),
  named('host', 'localhost', 'evil.example', 'localhost:99999', '[::1]', 'a b'),
  named('x-forwarded-for', '127.0.0.1', '203.0.113.9, 10.0.0.1', '::'),
  named('expect', '100-continue', 'a miracle'),
  named('authorization', 'Basic YTpi', 'Bearer x'),
)
const otherMethod = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY')

/** Correct HTTP: every call that exists and some that do not, with input of every kind. */
export const anyCall: fc.Arbitrary<Call> = fc
  .record({
    known: route,
    method: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: otherMethod }),
    search: query,
    headers: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) },
    ),
  })
  .map(({ known: { type, ...call }, method = call.method, search, headers }) => ({
    method,
    path: call.path + search,
    headers: { ...(call.body !== undefined && { 'content-type': type }), ...Object.fromEntries(headers) },
    body: call.body,
  }))

function joined(pair: string[]): string {
  return pair.join('=')
}

function named(name: string, ...values: string[]): fc.Arbitrary<[string, string]> {
  return fc.tuple(
    fc.constant(name),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerText }),
  )
}
