// Holds the lock of a database file in another process, for tests. Run as a program, it is that process: it takes and
// releases the lock in a loop, and prints "locked" each time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const FOREVER_MS = 600_000

if (process.argv[1] === import.meta.filename) await takeAndRelease(...process.argv.slice(2))

/**
 * Takes the lock, once or again and again, and resolves while it is held: to a function that releases it.
 * @param {string} file of the database.
 * @param {{ holdMs?: number | string, pauseMs?: number | string, kind?: string, onTaken?: () => void }} how
 *   A time is a number of ms or a range, e.g. 10-40, from which each time is chosen at random. A kind is EXCLUSIVE, which
 *   blocks readers and writers, IMMEDIATE, which blocks writers, or DEFERRED, which only reads and so blocks the commit of
 *   a writer.
 */
export async function holdLock(file, { holdMs = FOREVER_MS, pauseMs = FOREVER_MS, kind = 'EXCLUSIVE', onTaken } = {}) {
  const words = [import.meta.filename, file, String(holdMs), String(pauseMs), kind]
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

async function takeAndRelease(file, hold, pause, kind) {
  const database = new DatabaseSync(file, { timeout: 60_000 })
  for (;;) {
    database.exec(`BEGIN ${kind}; SELECT 1 FROM sqlite_schema`)
    process.stdout.write('locked\n')
    await wait(between(hold))
    database.exec('COMMIT')
    await wait(between(pause))
  }
}

function between(range) {
  const [least, most = least] = range.split('-').map(Number)
  return least + Math.random() * (most - least)
}
