// Sends one request after the other over each of many connections and measures the replies. A separate program, so that
// it has its own core: `node client.ts '<LoadRequest as JSON>'` prints a LoadResult as JSON.
//
// Written on plain sockets: it takes 14 µs of CPU per request, autocannon 24 and undici 27, while serving bytes from
// memory takes 18. A slower load generator would make the limit look worse than it is.
import { connect, type Socket } from 'node:net'
import type { LoadRequest, LoadResult } from './load.ts'

/** In the body and the headers it stands for the number of the request, in twelve digits. */
const NUMBER = '{number}'
const NUMBER_LENGTH = 12
const HEADERS_MAXIMUM = 4096
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const request = JSON.parse(process.argv[2] ?? '') as LoadRequest
const pieces = textOf(request).split(NUMBER)
const times: number[] = []
const failures: Record<string, number> = {}
let sent = 0
let isOver = false
const started = performance.now()
const end = started + request.ms
await Promise.all(Array.from({ length: request.connections }, sendUntilEnd))
report()

function sendUntilEnd(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(request.port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let replies = 0
    const send = () => {
      sentAt = performance.now()
      if (sentAt >= end) isOver = true
      if (isOver) socket.end()
      else socket.write(nextText(), 'latin1')
    }
    socket.once('connect', send)
    readReplies(socket, (status, isLast) => {
      replies += 1
      if (status === request.expected) times.push(performance.now() - sentAt)
      else fail(`status ${status}`)
      if (isLast) socket.end()
      else send()
    })
    socket.once('error', ({ message }) => fail(message))
    socket.once('close', () => {
      if (isOver) resolve()
      else if (replies === 0) resolve(fail('connection closed'))
      // A server may close a connection after a number of requests.
      else resolve(sendUntilEnd())
    })
  })
}

/** Calls back with the status of each whole reply, and whether its connection ends with it. */
function readReplies(socket: Socket, replied: (status: number, isLast: boolean) => void): void {
  let start: Buffer | undefined
  let missing = 0
  let isChunked = false
  let status = 0
  let isLast = false
  socket.on('data', (received) => {
    if (missing > 0) missing -= received.length
    else if (!isChunked) {
      const bytes = start === undefined ? received : Buffer.concat([start, received])
      const headers = bytes.toString('latin1', 0, HEADERS_MAXIMUM)
      const length = headers.indexOf('\r\n\r\n') + 4
      start = length < 4 ? bytes : undefined
      if (start !== undefined) return
      status = Number(headers.slice(9, 12))
      const [, content] = /\r\ncontent-length: (\d+)/i.exec(headers.slice(0, length)) ?? []
      isLast = /\r\nconnection: close\r/i.test(headers.slice(0, length))
      isChunked = content === undefined && status !== 304 && status !== 204
      missing = Number(content ?? 0) - (bytes.length - length)
    }
    // Nothing follows the last chunk, because the next request is not sent yet.
    if (isChunked ? !received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : missing > 0) return
    isChunked = false
    missing = 0
    replied(status, isLast)
  })
}

function textOf({ method, path, port, headers, body = '' }: LoadRequest): string {
  const length = Buffer.byteLength(body.replaceAll(NUMBER, '0'.repeat(NUMBER_LENGTH)))
  const all = { host: `127.0.0.1:${port}`, ...headers, ...(body !== '' && { 'content-length': length }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function nextText(): string {
  const [first = ''] = pieces
  return pieces.length === 1 ? first : pieces.join(String(request.firstNumber + sent++).padStart(NUMBER_LENGTH, '0'))
}

function fail(reason: string): void {
  failures[reason] = (failures[reason] ?? 0) + 1
}

function report(): void {
  const result: LoadResult = { ms: performance.now() - started, times, failures }
  process.stdout.write(JSON.stringify(result))
}
