// Takes and releases the lock of a database file in a loop: a second writing process, for tests.
// Usage: node scripts/testing/lock-database.mjs FILE HOLD_MS PAUSE_MS [KIND]. Prints "locked" each time it holds the lock.
// KIND is EXCLUSIVE, which blocks readers and writers, IMMEDIATE, which blocks writers, or DEFERRED, which only reads and so
// blocks the commit of a writer. A time is a number of ms or a range, e.g. 10-40, from which each time is chosen at random.
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
