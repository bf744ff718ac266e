import { UserError } from '#db/errors.ts'
import { areWritesRefused, observeWrites, openedDatabase } from '#db/storage/client.ts'
import { countDuration, noDurations, type Tally, tallyOne } from '#db/values/tallies.ts'

/**
 * Counts what this process asks of its database from now on.
 * @returns a function that tells it, and what waits at the moment. It asks the database nothing.
 */
export function countActivity() {
  const writes = noDurations()
  const failedWrites: Tally = new Map()
  observeWrites((ms, error) => {
    if (error === undefined) countDuration(writes, ms)
    else tallyOne(failedWrites, error instanceof UserError ? error.code : 'unexpected')
  })
  return () => ({ writes, failedWrites, ...openedDatabase().load(), isDamaged: areWritesRefused() })
}
