import { EventEmitter } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { vi } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import type { Io } from './command.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Surroundings = { cwd?: string; env?: Record<string, string>; input?: string }
/** `output`: the file for standard output, e.g. `/dev/full`. `root`: another installation than this one. */
export type InProcess = Surroundings & { output?: string; root?: string }

// Node itself loads the build. It contains its own copy of every module, so it has a database connection of its own,
// beside that of the test.
const load = createRequire(import.meta.url)

let latest: Promise<unknown> = Promise.resolve()

/** Runs the built command to its end in this process, with nothing in its environment but what is given. */
export async function runMain(words: string[], surroundings: InProcess): Promise<Ended> {
  const { cwd = '/', env = {}, input = '', output, root = projectRoot } = surroundings
  const printed = { stdout: '', stderr: '' }
  const io = Object.assign(new EventEmitter(), {
    stdin: Readable.from(input === '' ? [] : [input]) as NodeJS.ReadStream,
    stdout: output === undefined ? pipe((text) => (printed.stdout += text)) : file(output),
    stderr: pipe((text) => (printed.stderr += text)),
    env: { ...env },
    cwd: () => cwd,
    exit: refuse,
  }) satisfies Io
  try {
    return { code: await runInTurn(words, io, root), signal: null, ...printed }
  } finally {
    io.stdout.destroy()
  }
}

/**
 * Runs the command with the given streams, one run at a time: the command has one open database, and the time zone
 * belongs to the whole process.
 */
export function runInTurn(words: string[], io: Io, root: string): Promise<number> {
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

function pipe(take: (text: string) => void): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      take(text)
      done()
    },
  })
  return stream as NodeJS.WriteStream
}

function file(path: string): NodeJS.WriteStream {
  const stream: Writable = createWriteStream(path).on('error', () => {})
  return stream as NodeJS.WriteStream
}

export function refuse(): never {
  throw new Error('That would be for the whole process: run the command with rsvpProcess.')
}
