import { UserError } from '#db/errors.ts'
import { type Tally, tallyOne } from '#db/values/tallies.ts'

/**
 * What became of the RSVPs that were sent to this process since it started: `stored`, also where it was stored before, or
 * the code of the error that refused it.
 */
export const outcomes: Tally = new Map()

/** Counts what becomes of an RSVP. */
export async function countOutcome<Result>(submit: () => Promise<Result>): Promise<Result> {
  try {
    const result = await submit()
    tallyOne(outcomes, 'stored')
    return result
  } catch (error) {
    tallyOne(outcomes, error instanceof UserError ? error.code : 'unexpected')
    throw error
  }
}
