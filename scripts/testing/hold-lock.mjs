// Holds the lock of a database file in another process, for tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const FOREVER_MS = 600_000

/**
 * Takes the lock, once or again and again, and resolves while it is held: to a function that releases it.
 * @param {string} file of the database.
 * @param {{ holdMs?: number | string, pauseMs?: number | string, kind?: string, onTaken?: () => void }} how
 *   Times and kinds are those of lock-database.mjs.
 */
export async function holdLock(file, { holdMs = FOREVER_MS, pauseMs = FOREVER_MS, kind = 'EXCLUSIVE', onTaken } = {}) {
  const script = join(import.meta.dirname, 'lock-database.mjs')
  const words = [script, file, String(holdMs), String(pauseMs), kind]
  const holder = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (onTaken) holder.stdout.on('data', onTaken)
  const ended = once(holder, 'close')
  const isHeld = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isHeld) throw new Error(`The lock of ${file} could not be taken.`)
  return () => {
    holder.kill('SIGKILL')
    return ended
  }
}
