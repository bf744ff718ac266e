import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { vi } from 'vitest'
import { projectRoot } from '#db/config/config.ts'
import type { Io } from './io.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Surroundings = { cwd?: string; env?: Record<string, string>; input?: string }

// As it is built, by Node itself: it brings its own copy of everything, and so a database connection of its own, beside
// that of the test.
const { main }: typeof import('./main.ts') = createRequire(import.meta.url)(join(projectRoot, 'dist/cli/main.js'))

let latest: Promise<unknown> = Promise.resolve()

/**
 * Runs the built command to its end in this process, with nothing in its environment but what is given. One after the
 * other: it has one database open at a time, and the time zone belongs to the whole process.
 */
export function runMain(words: string[], surroundings: Surroundings): Promise<Ended> {
  const ended = latest.then(() => runNow(words, surroundings))
  latest = ended.catch(() => {})
  return ended
}

async function runNow(words: string[], { cwd = '/', env = {}, input = '' }: Surroundings): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const io = Object.assign(new EventEmitter(), {
    stdin: Readable.from(input === '' ? [] : [input]) as NodeJS.ReadStream,
    stdout: pipe((text) => (printed.stdout += text)),
    stderr: pipe((text) => (printed.stderr += text)),
    env: { ...env },
    cwd: () => cwd,
    kill: refuse,
    exit: refuse,
  }) satisfies Io
  vi.stubEnv('TZ', env.TZ)
  try {
    return { code: await main(words, io), signal: null, ...printed }
  } finally {
    vi.unstubAllEnvs()
  }
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

function refuse(): never {
  throw new Error('That would be for the whole process: run the command with rsvpProcess.')
}
