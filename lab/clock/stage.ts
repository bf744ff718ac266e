import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { faketime } from '../../scripts/testing/faketime.mjs'

const TIMEOUT_MS = 240_000

export const password = 'three words in a row'
export type Site = Awaited<ReturnType<typeof startBuiltServer>>
export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * A database in its own folder, and a clock for the processes that use it: `set` changes it, also while they run.
 * @param monotonic moves the monotonic clock as well, as when time really passes.
 */
export async function openStage({
  monotonic = false,
  withBackups = false,
  variables = {} as Record<string, string>,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-clock-'))
  const file = join(folder, 'rsvp.db')
  const clock = join(folder, 'clock')
  const environment = {
    LD_PRELOAD: await faketime(),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    NO_FAKE_STAT: '1',
    // Would come first.
    FAKETIME: undefined,
    ...(monotonic ? {} : { FAKETIME_DONT_FAKE_MONOTONIC: '1' }),
    DATABASE_URL: `file:${file}`,
    BACKUP_DIR: withBackups ? join(folder, 'backups') : '',
    ...variables,
  }

  writeFileSync(clock, '')
  /** How far the clock of this process is off itself: files have the machine's. */
  const own = Date.now() - statSync(clock).mtimeMs

  /** Sets how far the clock is off from that of this process in ms, also for running processes. */
  function set(ms: number): void {
    const seconds = Math.round((own + ms) / 1000)
    writeFileSync(`${clock}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${clock}.new`, clock)
  }
  set(0)

  return {
    folder,
    set,
    start: (): Promise<Site> => startBuiltServer(environment),
    command: (...words: string[]) => run(join(root, 'cli', 'rsvp'), words, localEnvironment(environment)),
    /** For use while no site runs, or for a single statement: SQLite waits for the lock of another process. */
    inDatabase: <Result>(work: (database: DatabaseSync) => Result): Result => {
      const database = new DatabaseSync(file, { timeout: 60_000 })
      try {
        return work(database)
      } finally {
        database.close()
      }
    },
    beside: (part: string) => readdirSync(folder).filter((name) => name.includes(part)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Waits for something that a site does by itself. Returns whether it happened in time. */
export async function waitUntil(isThere: () => boolean | Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await wait(50)) {
    if (await isThere()) return true
  }
  return false
}

/** @throws Error where the RSVP is not stored. */
export async function postRsvp({ url }: Site, name: string): Promise<void> {
  const body = JSON.stringify({ name, email: 'ana@cole.example', attending: true })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/api/rsvp`, { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`POST /api/rsvp got ${status}.`)
}

/** @returns the cookies of a new session. */
export async function sessionCookies({ url }: Site): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url }
  const reply = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ password }) })
  if (reply.status !== 204) throw new Error(`POST /api/session got ${reply.status}.`)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
