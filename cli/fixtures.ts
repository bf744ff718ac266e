import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { createDatabaseFile, openForTests } from '#testing/database-fixtures.ts'
import { ownClock } from '../scripts/testing/faketime.mjs'
import { type Ended, type InProcess, runMain, type Surroundings } from './main-fixtures.ts'
import { openScreen, TIMEOUT_MS } from './screen-fixtures.ts'
import { type InTerminal, runInTerminal } from './terminal-fixtures.ts'

const command = join(projectRoot, 'cli', 'rsvp')
const stops = new Set<() => void>()

// Processes of a failed test must not keep the whole run waiting.
afterAll(() => {
  for (const stop of stops) stop()
})

/** A name with control sequences for a terminal, and with characters that end a line or a cell of a list. */
export const hostile = 'Eve\u001b]0;owned\u0007\u001b[5m\u009b31m\t\r\n\u2028\u202e\u2066 Doe'
/** What of it a terminal would obey, beside what draws a screen. */
export const harmful = ['\u001b]0;', '\u0007', '\u001b[5m', '\u009b', '\u2028', '\u202e', '\u2066']
/** Such characters, other than line breaks. */
export const obeyed = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/** The sequences that make a text colored, bold or dim. */
export const colors = /\p{Cc}\[[\d;]*m/u

type Running = { child: ChildProcessWithoutNullStreams; ended: Promise<Ended> }

/** A folder of its own for each test file, with the address of a database that does not exist yet. */
export function testFolder(): { folder: string; url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, url: `file:${join(folder, 'data', 'rsvp.db')}` }
}

/** The same with a database that the process of the test has open too, to fill and read it. */
export function testDatabase(): { folder: string; url: string } {
  const place = testFolder()
  openForTests(place.url)
  return place
}

/** Sets the clock of each test. */
export function testClock(now: Date): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
  afterEach(() => void vi.useRealTimers())
}

/** The same as `testDatabase`, with the responses 1 to `count`, inserted with one statement. */
export function testResponses(count: number): { folder: string; url: string } {
  const place = testFolder()
  beforeAll(async () => {
    await makeDatabase(place.url)
    inDatabase(place.url, (database) =>
      database.exec(`
        INSERT INTO rsvps (key, name, email, message, attending, add_to_calendar, created_at, service_date)
        WITH RECURSIVE visitor(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM visitor WHERE id < ${count})
        SELECT 'key ' || id, 'Visitor ' || id, id || '@visitor.example', 'Message ' || id, id % 2, 0,
          '2025-01-05T14:00:00.000Z', '2025-01-11' FROM visitor`),
    )
  })
  return place
}

let emptyDatabase: Buffer | undefined

/** Creates an empty database: a copy of one that is made once for each test file. */
export async function makeDatabase(url: string): Promise<void> {
  const file = fileOf(url)
  mkdirSync(dirname(file), { recursive: true })
  if (emptyDatabase !== undefined) return writeFileSync(file, emptyDatabase, { mode: 0o600 })
  await createDatabaseFile(file)
  emptyDatabase = readFileSync(file)
}

/** Direct access for a test that needs more than operations: to read every row, to break a rule, to lock. */
export function inDatabase<Result>(url: string, look: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(fileOf(url), { timeout: TIMEOUT_MS })
  try {
    return look(database)
  } finally {
    database.close()
  }
}

function fileOf(url: string): string {
  return url.slice('file:'.length)
}

/** Starts the built command as a process with nothing in its environment but what is given. */
export function start(url: string, words: string[], surroundings: Surroundings = {}): Running {
  return startProcess(command, words, { ...surroundings, env: { DATABASE_URL: url, ...surroundings.env } })
}

/** Runs the built command to its end in this process, which is several times as fast. */
export function rsvp(url: string, words: string[], { env, ...surroundings }: InProcess = {}): Promise<Ended> {
  return runMain(words, { ...surroundings, env: { DATABASE_URL: url, ...env } })
}

/** The same in a process of its own: for concurrency, and for locks, which a process never holds against itself. */
export function rsvpProcess(url: string, words: string[], surroundings: Surroundings = {}): Promise<Ended> {
  return toItsEnd(start(url, words, surroundings), surroundings.input)
}

/** Runs a line of bash, in which `rsvp` is the built command. Fails if any part of a pipe fails. */
export function inShell(url: string, line: string, { env, ...surroundings }: Surroundings = {}): Promise<Ended> {
  const variables = { DATABASE_URL: url, PATH: `${dirname(command)}:/usr/bin:/bin`, ...env }
  return toItsEnd(
    startProcess('bash', ['--norc', '-c', `set -o pipefail; ${line}`], { ...surroundings, env: variables }),
  )
}

function startProcess(file: string, words: string[], { cwd = '/', env = {} }: Surroundings): Running {
  const child = spawn(file, words, { cwd, env, stdio: 'pipe' })
  const stop = () => child.kill('SIGKILL')
  stops.add(stop)
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (printed.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (printed.stderr += text))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => {
      stops.delete(stop)
      resolve({ code, signal, ...printed })
    }),
  )
  return { child, ended }
}

function toItsEnd({ child, ended }: Running, input = ''): Promise<Ended> {
  // A process that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {}).end(input)
  return ended
}

/** The built command in this process, on a simulated terminal with a screen and keys. */
export function rsvpInTerminal(url: string, words: string[], { env, ...surroundings }: InTerminal = {}) {
  return runInTerminal(words, { ...surroundings, env: { DATABASE_URL: url, ...env } })
}

/** The same to its end, which has to be a good one, without a key. */
export async function rsvpDrawn(url: string, words: string[], surroundings: InTerminal = {}) {
  const terminal = rsvpInTerminal(url, words, surroundings)
  const code = await terminal.ended
  if (code !== 0) throw new Error(`rsvp ${words.join(' ')} ends with ${code}:\n${terminal.screen()}`)
  return terminal
}

/** The same in a process of its own and a real terminal: for signals, colors and concurrency. */
export function rsvpProcessInTerminal(
  url: string,
  words: string[],
  { columns = 80, rows = 24, env = {}, cwd = '/' }: InTerminal = {},
) {
  const { write, drawn, resize, ...view } = openScreen(columns, rows)
  const process_ = spawnInTerminal(command, words, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...ownClock(), DATABASE_URL: url, TERM: 'xterm-256color', TZ: 'UTC', ...env },
  })
  const stop = () => process_.kill('SIGKILL')
  stops.add(stop)
  process_.onData(write)
  /** The exit code, once everything printed is on the screen. */
  const ended = new Promise<number>((resolve) =>
    process_.onExit(async ({ exitCode }) => {
      stops.delete(stop)
      await drawn()
      resolve(exitCode)
    }),
  )

  return {
    ...view,
    ended,
    pid: process_.pid,
    press: (keys: string) => process_.write(keys),
    resize: (newColumns: number, newRows: number) => {
      resize(newColumns, newRows)
      process_.resize(newColumns, newRows)
    },
    kill: (signal?: string) => process_.kill(signal),
  }
}
