import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import type { Io } from './command.ts'
import { refuse, runInTurn, type Surroundings } from './main-fixtures.ts'
import { openScreen } from './screen-fixtures.ts'

export type InTerminal = Surroundings & { columns?: number; rows?: number; root?: string }

const LINE_FEED = /\n/g
const open = new Set<() => Promise<unknown>>()

// A command that a test left running would keep the next one waiting.
afterEach(async ({ task }) => {
  if (!task.concurrent) for (const hangUp of open) await hangUp()
})

/**
 * Runs the built command in this process, on a simulated terminal of its own: a test presses keys and reads the
 * screen, and Ctrl+C is a signal as long as the command does not read key by key. Without colors, which are switched on
 * or off once for the whole process.
 */
export function runInTerminal(words: string[], surroundings: InTerminal = {}) {
  const { columns = 80, rows = 24, env = {}, cwd = '/', root = projectRoot } = surroundings
  const size = { columns, rows }
  const { write, drawn, resize, ...view } = openScreen(columns, rows)
  const variables = { TERM: 'xterm-256color', TZ: 'UTC', ...env }
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

  const finished = runInTurn(words, io, root)
  /** The exit code, once everything printed is on the screen. */
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

/** As termios does it: until keys are read one by one they are echoed, lines are read, and Ctrl+C is a signal. */
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
  const stream = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      write(String(text).replace(LINE_FEED, '\r\n'))
      done()
    },
  })
  const hasColors = () => WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, env)
  return Object.assign(stream, { isTTY: true, hasColors, ...size }) as unknown as NodeJS.WriteStream
}
