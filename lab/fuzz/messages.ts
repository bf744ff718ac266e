import { connect } from 'node:net'
import fc from 'fast-check'
import { LONGEST_MS, Tally } from './tally.ts'

// A message is a text in which each character is one byte (latin1): a valid request that is then damaged.

/** How many connections are open at any time. */
const LANES = 8
/** The client waits this long for a reply, then ends its message, which may lack something. */
const SHORT_WAIT_MS = 50
const ORDINARY = 'GET /share HTTP/1.1\r\nConnection: close\r\n\r\n'

const json = '{"name":"Ana Cole","email":"ana@cole.example","attending":true}'
const form = 'name=Ana+Cole&email=ana%40cole.example&attending=true&page=%2Fshare'
const chunked = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`
const valid = [
  request('GET /share', []),
  request('GET /api/rsvps?limit=2', ['Accept-Encoding: br, gzip']),
  request('HEAD /admin', []),
  request('POST /api/rsvp', ['Content-Type: application/json', `Content-Length: ${json.length}`], json),
  request('POST /api/rsvp', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunked),
  request(
    'POST /api/rsvp',
    ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`],
    form,
  ),
  request('DELETE /api/rsvps/1', ['Cookie: session=1', 'Origin: http://localhost']),
]

const firstLines = [
  ...['GET', 'GET /share', 'get /share HTTP/1.1', 'BREW /share HTTP/1.1', 'GET /share HTTP/1.0', 'GET /share HTTP/9.9'],
  ...['CONNECT localhost:22 HTTP/1.1', 'OPTIONS * HTTP/1.1', 'PRI * HTTP/2.0', 'GET  /share HTTP/1.1'],
  ...['GET http://localhost/share HTTP/1.1', 'GET //evil.example/ HTTP/1.1', 'GET /%00/..%2f..\\ HTTP/1.1'],
  ...['GET /share#x HTTP/1.1', 'GET /\xff\xfe HTTP/1.1', `GET /${'a'.repeat(70_000)} HTTP/1.1`, '\x16\x03\x01\x02\x00'],
]
const headers = [
  ...['Content-Length: 0', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 1e3'],
  ...[`Content-Length: ${'9'.repeat(20)}`, 'Content-Length: 10', 'Content-Length: 200'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, identity'],
  ...['Host: evil.example', 'Host:', 'Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: websocket'],
  ...['Expect: 100-continue', 'Expect: a miracle', 'Trailer: X', ' folded', ': x', 'X', 'X : y', 'X: a\0b'],
  ...[`X: ${'a'.repeat(9000)}`, `X: a${'\r\nX: a'.repeat(500)}`],
]
const chunkSizes = ['0', 'zz', '-1', 'F'.repeat(17), '5;a=b', '3f;"', '', '3f\n', '0'.repeat(5000)]
const pieces = [
  ...['\r', '\n', '\0', '\r\n', '\r\n\r\n', ' ', '\t', ':', ',', '\x7f', '\xff', '%', '\r\n'.repeat(2000)],
  ...['a'.repeat(9000), 'a'.repeat(100_000)],
]

type Damage = (message: string) => string

const damage: fc.Arbitrary<Damage> = fc.oneof(
  // Some bytes at any place are flipped, removed, repeated or replaced.
  fc
    .record({ somewhere: fc.nat(1000), length: fc.nat(200), bit: fc.nat(7), piece: fc.constantFrom(...pieces) })
    .chain(({ somewhere, length, bit, piece }) =>
      fc.constantFrom<Damage>(
        (message) => replaced(message, somewhere, 1, (byte) => String.fromCharCode(byte.charCodeAt(0) ^ (1 << bit))),
        (message) => replaced(message, somewhere, length % 20, () => ''),
        (message) => replaced(message, somewhere, length, (bytes) => bytes + bytes),
        (message) => replaced(message, somewhere, 0, () => piece),
        (message) => message.slice(0, somewhere),
      ),
    ),
  damagedBy(firstLines, (message, line) => message.replace(/^[^\r]*/, () => line)),
  damagedBy(headers, (message, line) => message.replace('\r\n', () => `\r\n${line}\r\n`)),
  damagedBy(chunkSizes, (message, size) => message.replace(/(?<=\r\n\r\n)[\da-f]+(?=\r\n)/, () => size)),
  damagedBy(valid, (message, next) => message.replace('Connection: close\r\n', '') + next),
)

/** A valid request, damaged up to four times; some are not damaged at all. */
const damagedMessage: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...valid), fc.array(damage, { maxLength: 4 }))
  .map(([message, damages]) => damages.reduce((damaged, change) => change(damaged), message))

function damagedBy(choices: string[], change: (message: string, choice: string) => string): fc.Arbitrary<Damage> {
  return fc.constantFrom(...choices).map((choice) => (message) => change(message, choice))
}

function replaced(message: string, somewhere: number, length: number, change: (bytes: string) => string): string {
  const start = somewhere % Math.max(1, message.length)
  return message.slice(0, start) + change(message.slice(start, start + length)) + message.slice(start + length)
}

function request(call: string, lines: string[], body = ''): string {
  return [`${call} HTTP/1.1`, 'Host: localhost', ...lines, 'Connection: close', '', body].join('\r\n')
}

/** Sends damaged requests: the server replies below 500 or hangs up, in time. */
export async function fuzzMessages(
  url: string,
  { seed, messages }: { seed: number; messages: number },
): Promise<Tally> {
  const tally = new Tally()
  const port = Number(new URL(url).port)
  const property = fc.asyncProperty(damagedMessage, async (message) => {
    const started = performance.now()
    const statuses = await sendRaw(port, message)
    tally.count(statuses.length > 0 ? 'replied' : 'hung up on', performance.now() - started)
    const broken = statuses.find((status) => status >= 500)
    if (broken !== undefined) throw new Error(`The reply was ${broken}.`)
    // Right away, so that a crash is reported with the message that caused it.
    await sendRaw(port, ORDINARY)
  })
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const numRuns = Math.ceil(messages / LANES)
    tally.judge(await fc.check(property, { seed: seed + lane, numRuns, verbose: true }))
  })
  await Promise.all(lanes)
  return tally
}

/** Writes a message and reads until the server hangs up. @returns the statuses of its replies */
function sendRaw(port: number, message: string): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('connect', () => socket.write(message, 'latin1'))
    const ending = setTimeout(() => socket.end(), SHORT_WAIT_MS)
    const hanging = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The server did not hang up in ${LONGEST_MS} ms.`))
    }, LONGEST_MS)
    socket.setEncoding('latin1').on('data', (part) => {
      text += part
      ending.refresh()
    })
    socket.on('end', () => socket.end())
    // After its reply the server may cut off what is still being sent. A refused connection means that it has crashed.
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.on('close', () => {
      clearTimeout(ending)
      clearTimeout(hanging)
      resolve(Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status]) => Number(status)))
    })
  })
}
