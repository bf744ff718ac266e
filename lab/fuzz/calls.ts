import fc from 'fast-check'
import {
  anyText,
  encodedText,
  eventBody,
  featuresBody,
  formBody,
  otherBody,
  roleBody,
  rsvpBody,
  sessionBody,
  settingsBody,
} from './inputs.ts'

/** A request that is correct HTTP, with any content. */
export type FuzzCall = { method: string; path: string; headers: Record<string, string>; body?: string }

/** The password of the guarded servers. */
export const PASSWORD = 'a password only for these runs'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

type Route = Omit<FuzzCall, 'headers'> & { type: string }

const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '+1', '1e3', '01', '%31', '1'.repeat(16), '__proto__', '%00') },
  { weight: 1, arbitrary: encodedText },
)

const reading = fc.constantFrom(
  ...['/', '/share', '/admin', '/privacy', '/sign-in', '/calendar.ics'],
  '/api/calendar',
  '/api/event',
  '/api/event/translations/es',
  '/api/features',
  '/api/rsvps',
  '/api/rsvps/download',
  '/api/volunteer-roles',
  '/api/health',
  '/api/ready',
  '/api/session',
  '/api/settings',
)
const unknown = fc.oneof(
  fc.constantFrom('/api', '/api/', '/api/rsvps/', '/API/rsvp', '/_image', '/500', '/assets/x.js', '/.env', '/share/'),
  encodedText.map((text) => `/${text}`),
  encodedText.map((text) => `/api/${text}`),
)

const route: fc.Arbitrary<Route> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom('GET', 'GET', 'HEAD'), reading).map(bare) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('GET'), unknown).map(bare) },
  { weight: 7, arbitrary: posted('POST', '/api/rsvp', rsvpBody) },
  { weight: 3, arbitrary: posted('POST', '/api/rsvp', formBody, FORM_TYPE) },
  { weight: 2, arbitrary: posted('POST', '/api/event', eventBody) },
  { weight: 1, arbitrary: posted('PUT', '/api/event/translations/es', eventBody) },
  { weight: 2, arbitrary: posted('PATCH', '/api/features', featuresBody) },
  { weight: 1, arbitrary: posted('POST', '/api/volunteer-roles', roleBody) },
  { weight: 2, arbitrary: id.chain((role) => posted('PATCH', `/api/volunteer-roles/${role}`, roleBody)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constant('DELETE'),
        id.map((rsvp) => `/api/rsvps/${rsvp}`),
      )
      .map(bare),
  },
  { weight: 1, arbitrary: id.chain((rsvp) => posted('POST', `/api/rsvps/${rsvp}/restore`, otherBody)) },
  { weight: 1, arbitrary: posted('POST', '/api/session', sessionBody(PASSWORD)) },
  { weight: 1, arbitrary: fc.constant(bare(['DELETE', '/api/session'])) },
  { weight: 1, arbitrary: posted('POST', '/api/session', formBody, FORM_TYPE) },
  { weight: 2, arbitrary: posted('PATCH', '/api/settings', settingsBody) },
)

/** The query of an address, with its question mark. */
const query: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('?', '?&&=', '?%zz', '?a=%ff', '?limit=1&limit=2', `?${'a'.repeat(2100)}`) },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('limit', 'before', 'status', 'since', 'deleted', 'email', 'thanks', '__proto__'),
            encodedText,
          ),
          fc.oneof(
            fc.constantFrom('1', '200', '1001', '-1', 'attending', 'true', 'ana@cole.example', '2026-11-21T00:00:00Z'),
            encodedText,
          ),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  },
)

// Without characters that Node's client refuses to send in a header; messages.ts tries broken headers.
const headerText = anyText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000))
/** A name and a value. */
const header: fc.Arbitrary<[string, string]> = fc.oneof(
  named('idempotency-key', 'key-1', 'key-2', 'x'.repeat(201), ''),
  named('if-none-match', '*', '"x"', 'W/"x", "y"', ''),
  named('if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT', 'yesterday'),
  named('accept-encoding', 'br', 'gzip', 'gzip;q=0', '*', 'identity;q=0', '*;q=0', 'br;q=9, gzip', 'deflate', ',,;;'),
  named('range', 'bytes=0-1', 'bytes=9-2', 'bytes=-0', 'bytes=0-0,2-2', 'bytes=99999999999999999999-', 'lines=1-2'),
  named('content-type', JSON_TYPE, 'application/json; charset=utf-16', FORM_TYPE, 'multipart/form-data', 'text/*', ';'),
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

/** Every call that exists and some that do not, with input of every kind. */
export const anyCall: fc.Arbitrary<FuzzCall> = fc
  .tuple(
    fc.oneof(
      { weight: 12, arbitrary: route },
      {
        weight: 1,
        arbitrary: fc
          .tuple(route, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'))
          .map(([known, method]) => ({ ...known, method })),
      },
    ),
    query,
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) }),
  )
  .map(([{ method, path, type, body }, search, headers]) => ({
    method,
    path: path + search,
    headers: { ...(body !== undefined && { 'content-type': type }), ...Object.fromEntries(headers) },
    body,
  }))

function bare([method, path]: [string, string]): Route {
  return { method, path, type: '' }
}

function posted(method: string, path: string, body: fc.Arbitrary<string>, type = JSON_TYPE): fc.Arbitrary<Route> {
  return body.map((text) => ({ method, path, type, body: text }))
}

function named(name: string, ...values: string[]): fc.Arbitrary<[string, string]> {
  return fc.tuple(
    fc.constant(name),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerText }),
  )
}
