import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { WriteStream } from 'node:tty'
import { Terminal } from '@xterm/headless'
import { afterEach } from 'vitest'
import type { Io } from './command.ts'
import { pipe, refuse, runInTurn, type Surroundings, TIMEOUT_MS } from './fixtures.ts'

type InTerminal = Surroundings & { columns?: number; rows?: number }

const LINE_FEED = /\n/g
const open = new Set<() => Promise<unknown>>()

// Ends a command that a test left running, because the next command waits for it.
afterEach(async ({ task }) => {
  if (!task.concurrent) for (const hangUp of open) await hangUp()
})

/**
 * Runs the built command in this process, on a simulated terminal of its own: a test presses keys and reads the
 * screen, and Ctrl+C is a signal as long as the command does not read key by key. Without colors, which are switched on
 * or off once for the whole process.
 */
export function rsvpInTerminal(url: string, words: string[], surroundings: InTerminal = {}) {
  const { columns = 80, rows = 24, env = {}, cwd = '/' } = surroundings
  const size = { columns, rows }
  const { write, drawn, resize, ...view } = openScreen(columns, rows)
  const variables = { DATABASE_URL: url, TERM: 'xterm-256color', TZ: 'UTC', ...env }
  const io: Io & EventEmitter = Object.assign(new EventEmitter(), {
    stdin: keyboard(write, () => send('SIGINT')),
    stdout: display(write, size, variables),
    stderr: display(write, size, variables),
    env: variables,
    cwd: () => cwd,
    exit: () => open.has(hangUp) && refuse(),
  })

  function send(signal: string): void {
    if (!io.emit(signal)) throw new Error(`Nothing listens to ${signal} yet: it would end the process.`)
  }

  const finished = runInTurn(words, io)
  /** Resolves to the exit code once everything printed is on the screen. */
  const ended = finished.then(async (code) => {
    await drawn()
    if (io.stdin.isRaw) throw new Error('The command has left the terminal in raw mode.')
    return code
  })
  ended.catch(() => {})
  const hangUp = () => {
    io.emit('SIGHUP')
    return finished.catch(() => {})
  }
  open.add(hangUp)
  void finished.catch(() => {}).then(() => open.delete(hangUp))

  return {
    ...view,
    ended,
    press: (keys: string): void => {
      io.stdin.emit('pressed', keys)
    },
    resize: (newColumns: number, newRows: number) => {
      resize(newColumns, newRows)
      for (const stream of [io.stdout, io.stderr]) {
        Object.assign(stream, { columns: newColumns, rows: newRows })
        stream.emit('resize')
      }
    },
    kill: (signal = 'SIGHUP') => send(signal),
  }
}

/** Runs the built command to its end, without a key. Fails if its exit code is not 0. */
export async function rsvpDrawn(url: string, words: string[], surroundings: InTerminal = {}) {
  const terminal = rsvpInTerminal(url, words, surroundings)
  const code = await terminal.ended
  if (code !== 0) throw new Error(`rsvp ${words.join(' ')} ends with ${code}:\n${terminal.screen()}`)
  return terminal
}

/** A terminal, with the screen that results from everything written to it. */
export function openScreen(columns: number, rows: number) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true })
  let raw = ''
  // Kept until the next change, because reading hundreds of rows takes a while.
  let lines: string | undefined
  terminal.onWriteParsed(() => {
    lines = undefined
  })

  function screen(): string {
    const { active } = terminal.buffer
    lines ??= Array.from({ length: terminal.rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    )
      .join('\n')
      .trimEnd()
    return lines
  }

  /** Waits until the screen shows a text, and returns the whole screen. */
  async function shows(text: string | RegExp): Promise<string> {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(10)) {
      if (typeof text === 'string' ? screen().includes(text) : text.test(screen())) return screen()
    }
    throw new Error(`The terminal does not show ${text}. It shows:\n${screen()}`)
  }

  return {
    screen,
    shows,
    write: (text: string) => {
      raw += text
      terminal.write(text)
    },
    /** Resolves once everything written is on the screen. */
    drawn: () => new Promise<void>((resolve) => terminal.write('', resolve)),
    resize: (newColumns: number, newRows: number) => {
      terminal.resize(newColumns, newRows)
      lines = undefined
    },
    raw: () => raw,
    /** Whether a program has the whole screen, which hides the lines of the shell. */
    isFullScreen: () => terminal.buffer.active.type === 'alternate',
    /** Whether the terminal is again as it was before a program took the whole screen. */
    isAsBefore: () =>
      terminal.buffer.active.type === 'normal' &&
      screen() === '' &&
      raw.lastIndexOf('\u001b[?25h') >= raw.lastIndexOf('\u001b[?25l'),
  }
}

/** Simulates termios: until a command reads key by key, keys are echoed, lines are passed on, and Ctrl+C is a signal. */
function keyboard(echo: (text: string) => void, interrupt: () => void): NodeJS.ReadStream {
  let line = ''
  const stream = Object.assign(new Readable({ read: () => {} }), {
    isTTY: true,
    isRaw: false,
    ref: () => stream,
    unref: () => stream,
    setRawMode: (isRaw: boolean) => {
      stream.isRaw = isRaw
      if (isRaw) readLine()
      return stream
    },
  })

  function readLine(): void {
    if (line !== '') stream.push(line)
    line = ''
  }

  function press(key: string): void {
    if (key === '\u0003') interrupt()
    else {
      echo(key === '\r' ? '\r\n' : key.replace(/\p{Cc}/u, '^'))
      line += key === '\r' ? '\n' : key
      if (key === '\r') readLine()
    }
  }

  stream.on('pressed', (keys: string) => {
    if (stream.isRaw) stream.push(keys)
    else for (const key of keys) press(key)
  })
  return stream as unknown as NodeJS.ReadStream
}

function display(write: (text: string) => void, size: { columns: number; rows: number }, env: NodeJS.ProcessEnv) {
  const stream = pipe((text) => write(text.replace(LINE_FEED, '\r\n')))
  const hasColors = () => WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, env)
  return Object.assign(stream, { isTTY: true, hasColors, ...size }) as unknown as NodeJS.WriteStream
}
