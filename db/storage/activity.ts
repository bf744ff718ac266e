import { UserError } from '#db/errors.ts'
import { countDuration, noDurations } from '#db/values/durations.ts'
import { type Tally, tallyOne } from '#db/values/tally.ts'

/** What this process has asked of its database since it started. */
export const activity = {
  /** How long writes took until they were stored, with their wait for their turn and for locks. */
  writes: noDurations(),
  /** Writes that failed, by the code of their error. */
  failedWrites: new Map() as Tally,
  /** Attempts that met a lock, or whose reply was lost, and that were made once more. */
  retries: 0,
}

/** Counts a write, whatever becomes of it. */
export async function counted<Result>(write: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  try {
    const result = await write()
    countDuration(activity.writes, performance.now() - started)
    return result
  } catch (error) {
    tallyOne(activity.failedWrites, error instanceof UserError ? error.code : 'unexpected')
    throw error
  }
}
