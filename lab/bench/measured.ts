import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { copyOfStored, environmentOf } from './stored.ts'

/** Of the server, or of the command that is measured. The clients, this process, have the other one. */
const MEASURED_CORE = 0
const LOAD_CORE = 1
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
const onMeasuredCore = canPin ? ['taskset', '--cpu-list', String(MEASURED_CORE)] : []

const CONNECTIONS = 32
const LOAD_MS = 2000
const POLL_MS = 20
export const password = 'a password of several words'
/** The limit of RSVPs is kept track of, but never reached. */
const SETTINGS = { ADMIN_PASSWORD: password, RSVP_POST_LIMIT: '999999/999999' }
/** As a browser sends it. */
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const WRITTEN_BY_NODE = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']
/** In the body and the headers it stands for a number that no other request has. */
const NUMBER = '{number}'
const NUMBER_LENGTH = 12

export type Server = AsyncDisposable & { url: string; pid: number }
export type Site = Server & { database: string }
type Request = { path: string; method?: string; headers?: Record<string, string>; body?: string; expected?: number }

let sent = Math.floor(Math.random() * 1e9)

/** Moves this process away from the measured core. */
export function leaveMeasuredCore(): void {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(LOAD_CORE), String(process.pid)])
}

/** The built site with so many stored responses, guarded by a password. */
export async function startSite(stored: number): Promise<Site> {
  const copy = await copyOfStored(stored)
  const settings = { ...SETTINGS, DATABASE_URL: `file:${copy.file}` }
  const { url, pid = 0, stop } = await startBuiltServer(settings, onMeasuredCore)
  const dispose = () => stop().then(() => copy[Symbol.asyncDispose]())
  return { url, pid, database: copy.file, [Symbol.asyncDispose]: dispose }
}

/** See limit.mjs. It prints its port when it listens. */
export async function startLimit(kind: 'reply' | 'rsvp' | 'list', file: string): Promise<Server> {
  const program = join(import.meta.dirname, 'limit.mjs')
  const [command = '', ...words] = [...onMeasuredCore, process.execPath, program, kind, file]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), exited])
  if (child.pid === undefined || !(Number(printed) > 0)) throw new Error('The limit did not start.')
  const dispose = () => Promise.all([child.kill('SIGKILL'), exited]).then(() => {})
  return { url: `http://127.0.0.1:${Number(printed)}`, pid: child.pid, [Symbol.asyncDispose]: dispose }
}

/** A raw node:http server that sends the same bytes, compressed, as this address. */
export async function startSameReply(url: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'reply.json')
  const [reply] = await once(get(url, { agent: false, headers: ACCEPTED }), 'response')
  const kept = Object.entries(reply.headers).filter(([name]) => !WRITTEN_BY_NODE.includes(name))
  const body = Buffer.concat(await reply.toArray()).toString('base64')
  writeFileSync(file, JSON.stringify({ headers: Object.fromEntries(kept), body }))
  const server = await startLimit('reply', file)
  rmSync(folder, { recursive: true })
  return server
}

/** Sends requests for two seconds, one after the other on each connection; throws if a reply is not the expected one. */
export async function load({ url }: Server, request: Request) {
  const port = Number(new URL(url).port)
  const text = textOf(request)
  const times: number[] = []
  const started = performance.now()
  const end = started + LOAD_MS
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendUntil(end, port, text, request, times)))
  times.sort((one, other) => one - other)
  const rate = (times.length / (performance.now() - started)) * 1000
  return { replies: times.length, rate, p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN }
}

/**
 * Written on a plain socket: it takes 14 µs of CPU per request, undici 27, while serving bytes from memory takes 18. A
 * slower client would make the limit look worse than it is.
 */
function sendUntil(end: number, port: number, text: string, request: Request, times: number[]): Promise<void> {
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
      if (!head.startsWith(`HTTP/1.1 ${request.expected ?? 200} `)) {
        socket.destroy()
        return reject(new Error(`${request.path}: ${head}`))
      }
      times.push(performance.now() - sentAt)
      if (/\r\nconnection: close\r/i.test(head)) socket.end()
      else next()
    })
    // A server may close a connection after a number of requests.
    socket.once('close', () =>
      resolve(performance.now() < end ? sendUntil(end, port, text, request, times) : undefined),
    )
  })
}

function isWhole(reply: string): boolean {
  const start = reply.indexOf('\r\n\r\n') + 4
  if (start < 4) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(reply.slice(0, start)) ?? []
  // Nothing follows the last chunk, because the next request is not sent yet.
  return length === undefined ? reply.endsWith('0\r\n\r\n') : reply.length >= start + Number(length)
}

function textOf({ method = 'GET', path, headers, body = '' }: Request): string {
  const length = Buffer.byteLength(body.replaceAll(NUMBER, '0'.repeat(NUMBER_LENGTH)))
  const all = { host: '127.0.0.1', ...ACCEPTED, ...headers, ...(body !== '' && { 'content-length': length }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/**
 * Runs a command on the measured core to its end.
 * @param output the file for its output
 * @returns the time in ms, and the peak of its memory in MiB
 */
export async function timeOf(words: string[], { database = '', output = '/dev/null' } = {}) {
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
