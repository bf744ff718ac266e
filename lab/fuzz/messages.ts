import fc from 'fast-check'

// A message is a text in which each character is one byte (latin1): a valid request that is then damaged.

type Damage = (message: string) => string

const json = '{"name":"Ana Cole","email":"ana@cole.example","attending":true}'
const form = 'name=Ana+Cole&email=ana%40cole.example&attending=true&page=%2Fshare'
const valid = [
  request('GET /share', []),
  request('GET /api/rsvps?limit=2', ['Accept-Encoding: br, gzip']),
  request('HEAD /admin', []),
  request('POST /api/rsvp', ['Content-Type: application/json', `Content-Length: ${json.length}`], json),
  request(
    'POST /api/rsvp',
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
  ),
  request(
    'POST /api/rsvp',
    ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`],
    form,
  ),
  request('DELETE /api/rsvps/1', ['Cookie: session=1', 'Origin: http://localhost']),
]

const firstLines = [
  'GET',
  'get /share HTTP/1.1',
  'BREW /share HTTP/1.1',
  'CONNECT localhost:22 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET /share',
  'GET /share HTTP/1.0',
  'GET /share HTTP/9.9',
  'GET  /share HTTP/1.1',
  'GET http://localhost/share HTTP/1.1',
  'GET //evil.example/ HTTP/1.1',
  'GET /%00/..%2f..\\ HTTP/1.1',
  'GET /share#x HTTP/1.1',
  'GET /\xff\xfe HTTP/1.1',
  `GET /${'a'.repeat(70_000)} HTTP/1.1`,
  '\x16\x03\x01\x02\x00',
]
const headers = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1e3',
  `Content-Length: ${'9'.repeat(20)}`,
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Host: evil.example',
  'Host:',
  'Connection: keep-alive',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: a miracle',
  'Trailer: X',
  ' folded',
  ': x',
  'X',
  'X : y',
  'X: a\0b',
  `X: ${'a'.repeat(9000)}`,
  `X: a${'\r\nX: a'.repeat(500)}`,
]
const chunkSizes = ['0', 'zz', '-1', 'F'.repeat(17), '5;a=b', '3f;"', '', '3f\n', '0'.repeat(5000)]
const pieces = ['\r', '\n', '\0', '\r\n', '\r\n\r\n', ' ', '\t', ':', ',', '\x7f', '\xff', '%', '\r\n'.repeat(2000)]
const longLine = fc.constantFrom(9000, 100_000).map((length) => 'a'.repeat(length))

const place = fc.nat(1000)
const damage: fc.Arbitrary<Damage> = fc.oneof(
  changed(1, fc.nat(7), (byte, bit) => String.fromCharCode(byte.charCodeAt(0) ^ (1 << bit))),
  changed(20, fc.constant(''), () => ''),
  changed(200, fc.constant(''), (bytes) => bytes + bytes),
  changed(0, fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, longLine), (_, piece) => piece),
  damagedBy(fc.nat(400), (message, length) => message.slice(0, length)),
  damagedBy(fc.constantFrom(...firstLines), (message, line) => message.replace(/^[^\r]*/, () => line)),
  damagedBy(fc.constantFrom(...headers), (message, line) => message.replace('\r\n', () => `\r\n${line}\r\n`)),
  damagedBy(fc.nat(9), doubledHeader),
  damagedBy(fc.integer({ min: -70, max: 3 }), (message, more) =>
    message.replace(/(?<=Content-Length: )\d+/i, (length) => String(Number(length) + more)),
  ),
  damagedBy(fc.constantFrom(...chunkSizes), (message, size) =>
    message.replace(/(?<=\r\n\r\n)[\da-f]+(?=\r\n)/, () => size),
  ),
  damagedBy(fc.constantFrom(...valid), (message, next) => message.replace('Connection: close\r\n', '') + next),
)

/** A valid request, damaged up to four times; some are not damaged at all. */
export const damagedMessage: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...valid), fc.array(damage, { maxLength: 4 }))
  .map(([message, damages]) => damages.reduce((damaged, change) => change(damaged), message))

function damagedBy<Choice>(
  choices: fc.Arbitrary<Choice>,
  change: (message: string, choice: Choice) => string,
): fc.Arbitrary<Damage> {
  return choices.map((choice) => (message: string) => change(message, choice))
}

/** Replaces some bytes at a random place, at most `maximum`. */
function changed<Choice>(
  maximum: number,
  choices: fc.Arbitrary<Choice>,
  change: (bytes: string, choice: Choice) => string,
): fc.Arbitrary<Damage> {
  const length = fc.integer({ min: Math.min(1, maximum), max: maximum })
  return damagedBy(fc.tuple(place, length, choices), (message, [somewhere, count, choice]) => {
    const start = somewhere % Math.max(1, message.length)
    const bytes = message.slice(start, start + count)
    return message.slice(0, start) + change(bytes, choice) + message.slice(start + count)
  })
}

function doubledHeader(message: string, number: number): string {
  const [first = '', ...rest] = message.split('\r\n')
  const line = rest[number % rest.length] ?? ''
  return [first, line, ...rest].join('\r\n')
}

function request(call: string, lines: string[], body = ''): string {
  return [`${call} HTTP/1.1`, 'Host: localhost', ...lines, 'Connection: close', '', body].join('\r\n')
}
