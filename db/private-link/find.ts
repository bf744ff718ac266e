import { eq, sql } from 'drizzle-orm'
import { takeFromEach } from '#db/access/limits/allowance.ts'
import { widerLevels } from '#db/access/limits/wider-networks.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { isOutage, UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { isSame, rowOf } from '#db/rsvp/duplicates.ts'
import { everyField } from '#db/rsvp/export/json.ts'
import { type StoredRsvp, storedRsvp } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { nextService, serviceOn } from '#db/schedule/services.ts'
import { db } from '#db/storage/client.ts'
import { waitText } from '#db/values/dates.ts'
import { hashOfLinkSecret } from './secret.ts'

/** How many links that do not work one network may try. No number of guesses finds 128 bits: this keeps the guesser from tiring the site. */
const guesses: Allowance = { atOnce: 20, everyMs: 60_000 }

/** An RSVP that was found by its link. `isWithdrawn` says that its sender has taken it back. */
export type LinkedRsvp = { stored: StoredRsvp; isWithdrawn: boolean; endsAt: string }

/**
 * Finds the RSVP of a private link. Only what does not work is counted, so that a guesser never locks out his neighbors.
 * @throws UserError 'not-found' when the link does not work, 'too-many' when too many of the caller's network did not,
 * 'gone' when the service is over or the church has deleted the RSVP.
 */
export async function findByLink(secret: string, call: Call): Promise<LinkedRsvp> {
  const [[found], schedule] = await Promise.all([
    db
      .select({ object: everyField() })
      .from(rsvps)
      .where(eq(rsvps.linkHash, hashOfLinkSecret(secret))),
    readSchedule(),
  ])
  if (found === undefined) {
    if (secret !== '') await refuseTooManyGuesses(call)
    throw new UserError(
      'not-found',
      'This link does not work, or this browser has forgotten it. Open the whole link once more, or tell the church office what you would like to change.',
    )
  }
  const stored = storedRsvp.parse(JSON.parse(found.object))
  const { endsAt } = stored.serviceDate ? serviceOn(schedule, stored.serviceDate) : nextService(schedule, call.now)
  if (endsAt <= call.now.toISOString())
    throw new UserError('gone', 'The service of this RSVP is over. Send a new one for the next service.')
  const isWithdrawn = stored.deletedAt !== null && stored.deletedAt === stored.changedAt
  if (stored.deletedAt !== null && !isWithdrawn) throw new UserError('gone', await reasonOfDeletion(stored))
  return { stored, isWithdrawn, endsAt }
}

/** Where it was merged, sending once more would only make another duplicate. */
async function reasonOfDeletion(deleted: StoredRsvp): Promise<string> {
  const kept = sql`${rowOf(deleted)} AS deleted JOIN ${rsvps} AS kept ON ${isSame(sql.raw('kept'), sql.raw('deleted'))}`
  const [found] = await db.select({ id: sql<number>`kept.id` }).from(kept).limit(1)
  return found === undefined
    ? 'The church has deleted this RSVP. If it still holds, send it once more.'
    : 'The church has deleted this RSVP, because you have sent it again: that one counts. Change it by its own link.'
}

async function refuseTooManyGuesses({ network, now }: Call): Promise<void> {
  if (network === undefined) return
  const levels = [{ name: `link ${network}`, allowance: guesses }, ...widerLevels('link', network, guesses)]
  const wait = await takeFromEach(levels, now).then((empty) => empty?.wait ?? 0, noWaitInOutage)
  if (wait === 0) return
  const seconds = Math.ceil(wait / 1000)
  throw new UserError(
    'too-many',
    `Too many links that do not work were opened in your network. Wait ${waitText(seconds)}, then open yours again.`,
    [],
    seconds,
  )
}

/** With a full disk no one is counted, and a link that does not work is still called that. */
function noWaitInOutage(error: unknown): number {
  if (isOutage(error)) return 0
  throw error
}
