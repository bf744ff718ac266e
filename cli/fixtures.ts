import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { Terminal } from '@xterm/headless'
import { afterAll, beforeAll } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { projectRoot } from '#db/config.ts'

const command = join(projectRoot, 'cli', 'rsvp')

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** A folder of its own for each test file, with the address of a database that does not exist yet. */
export function testFolder(): { folder: string; url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, url: `file:${join(folder, 'data', 'rsvp.db')}` }
}

/** The same with a database that this process has open too, so that a test can fill it and look into it. */
export function testDatabase(): { folder: string; url: string } {
  const place = testFolder()
  beforeAll(() => openDatabase(place.url))
  afterAll(closeDatabase)
  return place
}

type Running = { child: ChildProcess; ended: Promise<Ended> }

/** Starts the built command as a process with nothing in its environment but what is given. */
export function start(
  url: string,
  words: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const child = spawn(command, words, {
    cwd: options.cwd ?? '/',
    env: { DATABASE_URL: url, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (printed.stderr += text))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, ...printed })),
  )
  return { child, ended }
}

/** Runs the built command to its end. */
export function rsvp(url: string, words: string[], options: Parameters<typeof start>[2] = {}): Promise<Ended> {
  const { child, ended } = start(url, words, options)
  child.stdin?.end()
  return ended
}

/** The built command in a real terminal, of which one sees the screen and where one presses keys. */
export function rsvpInTerminal(
  url: string,
  words: string[],
  { columns = 80, rows = 24, env = {} }: { columns?: number; rows?: number; env?: Record<string, string> } = {},
) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true })
  const process_ = spawnInTerminal(command, words, {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: '/',
    env: { DATABASE_URL: url, TERM: 'xterm-256color', TZ: 'UTC', ...env },
  })
  let raw = ''
  process_.onData((text) => {
    raw += text
    terminal.write(text)
  })
  const ended = new Promise<number>((resolve) => process_.onExit(({ exitCode }) => resolve(exitCode)))
  const screen = () => {
    const lines = Array.from({ length: rows }, (_, row) =>
      terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row)?.translateToString(true),
    )
    return lines.join('\n').trimEnd()
  }

  /** Waits until the screen shows a text, and answers the whole screen. */
  async function shows(text: string | RegExp): Promise<string> {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(20)) {
      if (typeof text === 'string' ? screen().includes(text) : text.test(screen())) return screen()
    }
    throw new Error(`The terminal does not show ${text}. It shows:\n${screen()}`)
  }

  return {
    screen,
    shows,
    ended,
    raw: () => raw,
    press: (keys: string) => process_.write(keys),
    resize: (newColumns: number, newRows: number) => {
      terminal.resize(newColumns, newRows)
      process_.resize(newColumns, newRows)
    },
    kill: (signal?: string) => process_.kill(signal),
  }
}
