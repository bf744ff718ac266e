import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable, Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { createDatabaseFile, openForTests } from '#testing/database-fixtures.ts'
import type { Io } from './command.ts'

export type Ended = { code: number | null; stdout: string; stderr: string }
export type Surroundings = { cwd?: string; env?: Record<string, string>; input?: string }
type Running = { child: ChildProcessWithoutNullStreams; ended: Promise<Ended> }

/** How long a test waits for what must happen, however busy the machine is. */
export const TIMEOUT_MS = 120_000

const command = join(projectRoot, 'cli', 'rsvp')
const stops = new Set<() => void>()

// Processes of a failed test must not keep the whole run waiting.
afterAll(() => {
  for (const stop of stops) stop()
})

/** A name with control sequences for a terminal, and with characters that end a line or a cell of a list. */
export const hostile = 'Eve\u001b]0;owned\u0007\u001b[5m\u009b31m\t\r\n\u2028\u202e\u2066 Doe'
/** The parts of `hostile` that a terminal would obey, except those that Ink itself draws with. */
export const harmful = ['\u001b]0;', '\u0007', '\u001b[5m', '\u009b', '\u2028', '\u202e', '\u2066']
/** Characters that a terminal obeys, except line breaks. */
export const obeyed = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** A folder of its own for each test file, with the address of a database that does not exist yet. */
export function testFolder(): { folder: string; url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, url: `file:${join(folder, 'data', 'rsvp.db')}` }
}

/** A folder with a database that the test opens too, to fill and read it. */
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

/** A folder with a database of the responses 1 to `count`, inserted with one statement. */
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

/** Opens the database directly, for what no operation does: to read every row, to break a rule, to lock. */
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

// Node itself loads the build. It contains its own copy of every module, so it has a database connection of its own,
// beside that of the test.
const load = createRequire(import.meta.url)

/** `output` is the file for standard output, e.g. `/dev/full`; `root`, another installation than this one. */
type InProcess = Surroundings & { output?: string; root?: string }

/** Runs the built command to its end in this process, which is several times as fast as in its own. */
export async function rsvp(url: string, words: string[], surroundings: InProcess = {}): Promise<Ended> {
  const { cwd = '/', env = {}, input = '', output, root } = surroundings
  const printed = { stdout: '', stderr: '' }
  const stdout = output === undefined ? pipe((text) => (printed.stdout += text)) : createWriteStream(output)
  stdout.on('error', () => {})
  const io = Object.assign(new EventEmitter(), {
    stdin: Readable.from(input === '' ? [] : [input]) as NodeJS.ReadStream,
    stdout: stdout as Writable as NodeJS.WriteStream,
    stderr: pipe((text) => (printed.stderr += text)) as NodeJS.WriteStream,
    env: { DATABASE_URL: url, ...env },
    cwd: () => cwd,
    exit: refuse,
  }) satisfies Io
  try {
    return { code: await runInTurn(words, io, root), ...printed }
  } finally {
    stdout.destroy()
  }
}

let latest: Promise<unknown> = Promise.resolve()

/**
 * Runs the built command with the given streams, one run at a time: the command has one open database, and the time zone
 * belongs to the whole process.
 */
export function runInTurn(words: string[], io: Io, root = projectRoot): Promise<number> {
  const code = latest.then(async () => {
    const { main }: typeof import('./main.ts') = load(join(root, 'dist/cli/main.js'))
    vi.stubEnv('TZ', io.env.TZ)
    try {
      return await main(words, io)
    } finally {
      vi.unstubAllEnvs()
    }
  })
  latest = code.catch(() => {})
  return code
}

/** A stream that passes on every text. */
export function pipe(take: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      take(String(text))
      done()
    },
  })
}

export function refuse(): never {
  throw new Error('That would be for the whole process: run the command with rsvpProcess.')
}

/** Starts the built command as a process with nothing in its environment but what is given. */
export function start(url: string, words: string[], surroundings: Surroundings = {}): Running {
  return startProcess(command, words, { ...surroundings, env: { DATABASE_URL: url, ...surroundings.env } })
}

/** Runs the built command in a process of its own: for concurrency, and for locks, which do not block their own process. */
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
    child.once('close', (code) => {
      stops.delete(stop)
      resolve({ code, ...printed })
    }),
  )
  return { child, ended }
}

function toItsEnd({ child, ended }: Running, input = ''): Promise<Ended> {
  // A process that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {}).end(input)
  return ended
}
