// Takes a database file's lock and lets it go again, over and over: a second process that writes, for tests.
// Usage: node scripts/lock-database.mjs FILE HOLD_MS PAUSE_MS. Prints "locked" each time it holds the lock.
// A time is a number of ms, or two as in 10-40: then each time is any between them.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const [file, hold, pause] = process.argv.slice(2)
const database = new DatabaseSync(file, { timeout: 2000 })

for (;;) {
  database.exec('BEGIN EXCLUSIVE')
  process.stdout.write('locked\n')
  await wait(between(hold))
  database.exec('COMMIT')
  await wait(between(pause))
}

function between(range) {
  const [least, most = least] = range.split('-').map(Number)
  return least + Math.random() * (most - least)
}
