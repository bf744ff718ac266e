import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { getOwnRsvp } from '#db/private-link/own-rsvp.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { logOutage } from './log.ts'
import { problemOf } from './problem.ts'

/** What the page of a private link shows: the RSVP, or why there is none. */
export type OwnRsvpPage = { found: OwnRevision } | { found: undefined; status: number; reason: string }

export async function loadOwnRsvpPage(call: Call, linkSecret: string | undefined): Promise<OwnRsvpPage> {
  try {
    return { found: await getOwnRsvp({ linkSecret }, call) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isForThem: boolean = isOutage(error)
    if (isForThem) logOutage(error)
    const reason = isForThem ? BUSY : error.message
    return { found: undefined, status: problemOf(error).status, reason }
  }
}

const BUSY = "The church's computer is busy at the moment. Reload this page in a few seconds."
