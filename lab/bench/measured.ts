import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { environmentOf, onMeasuredCore, type Server } from './servers.ts'

const CONNECTIONS = 32
const LOAD_MS = 2000
const POLL_MS = 20
/** In the body and the headers it stands for a number that no other request has. */
const NUMBER = '{number}'
const NUMBER_LENGTH = 12
/** As a browser sends it. */
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br, zstd' }

/** With a body it is a POST. */
type Request = { path: string; headers?: Record<string, string>; body?: string }

let sent = Math.floor(Math.random() * 1e9)

/** Sends requests for two seconds, one after the other on each connection; throws if one fails. */
export async function load({ url }: Server, request: Request) {
  const port = Number(new URL(url).port)
  const text = textOf(request)
  const times: number[] = []
  const started = performance.now()
  const end = started + LOAD_MS
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendUntil(end, port, text, times)))
  times.sort((one, other) => one - other)
  const rate = (times.length / (performance.now() - started)) * 1000
  return { replies: times.length, rate, p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN }
}

/**
 * Written on a plain socket: it takes 14 µs of CPU per request, undici 27, while serving bytes from memory takes 18. A
 * slower client would make the limit look worse than it is.
 */
function sendUntil(end: number, port: number, text: string, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1')
    let sentAt = 0
    let reply = ''
    const next = () => {
      sentAt = performance.now()
      if (sentAt >= end) socket.end()
      else socket.write(text.replaceAll(NUMBER, String(sent++).padStart(NUMBER_LENGTH, '0')), 'latin1')
    }
    socket.once('connect', next).once('error', reject)
    socket.on('data', (part) => {
      reply += part
      if (!isWhole(reply)) return
      const head = reply.slice(0, reply.indexOf('\r\n\r\n') + 2)
      reply = ''
      if (!head.startsWith('HTTP/1.1 2')) {
        socket.destroy()
        return reject(new Error(head))
      }
      times.push(performance.now() - sentAt)
      if (/\r\nconnection: close\r/i.test(head)) socket.end()
      else next()
    })
    // A server may close a connection after a number of requests.
    socket.once('close', () => resolve(performance.now() < end ? sendUntil(end, port, text, times) : undefined))
  })
}

function isWhole(reply: string): boolean {
  const start = reply.indexOf('\r\n\r\n') + 4
  if (start < 4) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(reply.slice(0, start)) ?? []
  // Nothing follows the last chunk, because the next request is not sent yet.
  return length === undefined ? reply.endsWith('0\r\n\r\n') : reply.length >= start + Number(length)
}

function textOf({ path, headers, body = '' }: Request): string {
  const length = Buffer.byteLength(body.replaceAll(NUMBER, '0'.repeat(NUMBER_LENGTH)))
  const all = { host: '127.0.0.1', ...ACCEPTED, ...headers, ...(body !== '' && { 'content-length': length }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/**
 * Runs a command on the measured core to its end, with this database and its output in a file.
 * @returns the time in ms, and the peak of its memory in MiB
 */
export async function timeOf(words: string[], database: string, output: string) {
  const [command = '', ...args] = [...onMeasuredCore, ...words]
  const stdout = openSync(output, 'w')
  const started = performance.now()
  const child = spawn(command, args, { env: environmentOf(database), stdio: ['ignore', stdout, 'inherit'] })
  let memory = 0
  const looking = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid ?? 0, 'VmHWM'))
  }, POLL_MS)
  const [code] = await once(child, 'exit')
  const ms = performance.now() - started
  clearInterval(looking)
  closeSync(stdout)
  if (code !== 0) throw new Error(`${words.slice(0, 3).join(' ')} ended with ${code}.`)
  return { ms, memory }
}

/** In MiB: what is resident now (VmRSS), or its peak (VmHWM). 0 for a process that has just ended. */
export function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** See `man proc_pid_clear_refs`. */
export function forgetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
