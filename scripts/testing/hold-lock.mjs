// Holds the lock of a database file in another process, for tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Takes the lock, once or again and again, and resolves while it is held: to a function that releases it.
 * @param {string} file of the database.
 * @param {{ holdMs?: number, pauseMs?: number, kind?: string }} how kinds are those of lock-database.mjs.
 */
export async function holdLock(file, { holdMs = 600_000, pauseMs = 600_000, kind = 'EXCLUSIVE' } = {}) {
  const script = join(import.meta.dirname, 'lock-database.mjs')
  const holder = spawn(process.execPath, [script, file, String(holdMs), String(pauseMs), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'close')
  const isHeld = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isHeld) throw new Error(`The lock of ${file} could not be taken.`)
  return () => {
    holder.kill('SIGKILL')
    return ended
  }
}
