// Takes a database file's lock and lets it go again, over and over: a second process that writes, for tests.
// Usage: node scripts/testing/lock-database.mjs FILE HOLD_MS PAUSE_MS [KIND]. Prints "locked" each time it holds the lock.
// KIND is EXCLUSIVE, with which nobody else can read either, IMMEDIATE, which stops other writers, or DEFERRED, which only
// reads and so stops what others have written at the moment it would be stored.
// A time is a number of ms, or two as in 10-40: then each time is any between them.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const [file, hold, pause, kind = 'EXCLUSIVE'] = process.argv.slice(2)
const database = new DatabaseSync(file, { timeout: 60_000 })

for (;;) {
  database.exec(`BEGIN ${kind}; SELECT 1 FROM sqlite_schema`)
  process.stdout.write('locked\n')
  await wait(between(hold))
  database.exec('COMMIT')
  await wait(between(pause))
}

function between(range) {
  const [least, most = least] = range.split('-').map(Number)
  return least + Math.random() * (most - least)
}
