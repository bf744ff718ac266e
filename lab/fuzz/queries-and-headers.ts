import fc from 'fast-check'
import { anyText, encodedText } from './texts.ts'

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The query of an address, with its question mark. */
export const query: fc.Arbitrary<string> = fc.oneof(
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
export const header: fc.Arbitrary<[string, string]> = fc.oneof(
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

function named(name: string, ...values: string[]): fc.Arbitrary<[string, string]> {
  return fc.tuple(
    fc.constant(name),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerText }),
  )
}
