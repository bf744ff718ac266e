import { type SQL, sql } from 'drizzle-orm'
import { rsvps } from '#db/tables/rsvp.ts'

// The moments of changes, withdrawals and deletions. SQLite computes them during the write, from the stored row.

/**
 * Now, or a millisecond after the last change if that is later: no two changes of an RSVP have the same moment. A
 * withdrawal stores it as both `deletedAt` and `changedAt`, which tells it from a deletion by an administrator.
 */
export function momentOfChange(now: Date): SQL<string> {
  return sql`max(${now.toISOString()}, coalesce(${afterChange}, ''))`
}

/** For a deletion by an administrator: now, but never the moment of the last change. */
export function momentOfDeletion(now: Date): SQL<string> {
  const moment = now.toISOString()
  return sql`iif(${rsvps.changedAt} = ${moment}, ${afterChange}, ${moment})`
}

const afterChange = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${rsvps.changedAt}, '+0.001 seconds')`
