import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { localNode, root } from '../../scripts/local-node.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { copyOfStored } from './stored.ts'

/** The core of the server, or of the command that is measured. The clients have the other one. */
const MEASURED_CORE = 0
const LOAD_CORE = 1
/** Whether processes can be kept on one core each. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
/** The words before a command that pin it to a core. */
const onCore = (core: number) => (canPin ? ['taskset', '--cpu-list', String(core)] : [])
export const onMeasuredCore = onCore(MEASURED_CORE)
export const onLoadCore = onCore(LOAD_CORE)

/** The unit of times in /proc, which is the same on every Linux. */
const TICK_MS = 10
const POLL_MS = 20
/** The limit of RSVPs is kept track of, but never reached. */
const SETTINGS = { RSVP_POST_LIMIT: '999999/999999' }
/** As a browser sends it. */
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const WRITTEN_BY_NODE = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']

export const rsvp = join(root, 'cli', 'rsvp')
export const node = localNode()

export type Server = AsyncDisposable & { url: string; pid: number }
export type Site = Server & { database: string }

/** Moves this process, which sends single requests and reads their replies, away from the measured core. */
export function leaveMeasuredCore(): void {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(LOAD_CORE), String(process.pid)])
}

/** The built site with so many stored responses, guarded by the stored password unless it is open. */
export async function startSite(stored: number, { open = false } = {}): Promise<Site> {
  const copy = await copyOfStored(stored, { open })
  const settings = { ...SETTINGS, DATABASE_URL: `file:${copy.file}` }
  const { url, pid = 0, stop } = await startBuiltServer(settings, undefined, onMeasuredCore)
  const dispose = async () => {
    await stop()
    await copy[Symbol.asyncDispose]()
  }
  return { url, pid, database: copy.file, [Symbol.asyncDispose]: dispose }
}

/** A program of `limits/`. It prints its port when it listens. */
export async function startLimit(program: string, ...words: string[]): Promise<Server> {
  const path = join(import.meta.dirname, 'limits', program)
  const [command = '', ...args] = [...onMeasuredCore, process.execPath, path, ...words]
  const env = { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const exited = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), exited])
  if (child.pid === undefined || !(Number(printed) > 0)) throw new Error(`${program} did not start.`)
  const dispose = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { url: `http://127.0.0.1:${Number(printed)}`, pid: child.pid, [Symbol.asyncDispose]: dispose }
}

/** A raw node:http server that sends the same bytes as this address sends to a browser. */
export async function startSameReply(url: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'reply.json')
  const recorded = await new Promise((resolve, reject) => {
    get(url, { agent: false, headers: ACCEPTED }, async (reply) => {
      const kept = Object.entries(reply.headers).filter(([name]) => !WRITTEN_BY_NODE.includes(name))
      const body = Buffer.concat(await reply.toArray()).toString('base64')
      resolve({ headers: Object.fromEntries(kept), body })
    }).once('error', reject)
  })
  writeFileSync(file, JSON.stringify(recorded))
  const server = await startLimit('fixed-reply.mjs', file)
  rmSync(folder, { recursive: true })
  return server
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
    memory = Math.max(memory, peakMemoryOf(child.pid ?? 0))
  }, POLL_MS)
  const [code] = await once(child, 'exit')
  const ms = performance.now() - started
  clearInterval(looking)
  closeSync(stdout)
  if (code !== 0) throw new Error(`${words.slice(0, 3).join(' ')} ended with ${code}.`)
  return { ms, memory }
}

/** As for an administrator with a terminal. */
export function environmentOf(database: string) {
  return { ...process.env, NODE_ENV: 'production', DATABASE_URL: `file:${database}` }
}

/** The user and system CPU time of a process since its start, in ms. */
export function cpuOf(pid: number): number {
  // The name in parentheses may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** The resident memory of a process, in MiB. */
export function memoryOf(pid: number): number {
  return mebibytes(pid, 'VmRSS')
}

/** The peak of its resident memory, in MiB. */
export function peakMemoryOf(pid: number): number {
  return mebibytes(pid, 'VmHWM')
}

/** See `man proc_pid_clear_refs`. */
export function forgetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** 0 for a process that has just ended. */
function mebibytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
}
