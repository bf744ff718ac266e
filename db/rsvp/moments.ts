import { type SQL, sql } from 'drizzle-orm'
import { notBeforeMark } from '#db/clock/clock.ts'
import { rsvps } from './table.ts'

// When an RSVP is changed, withdrawn or deleted. All of them are calculated where they are written, from what is stored then.

/** Now, or a millisecond after the last change where that is later: each change of an RSVP has a moment of its own. */
export function momentOfChange(now: Date): SQL<string> {
  return sql`max(${now.toISOString()}, coalesce(${afterChange}, ''))`
}

/** When it is deleted and changed, once its sender has withdrawn it: that tells it from one that an administrator deleted. */
export function momentOfWithdrawal(now: Date): SQL<string> {
  return sql`max(${momentOfChange(now)}, ${notBeforeMark(now)})`
}

/** When it is deleted by an administrator: never at the moment of its last change. */
export function momentOfDeletion(now: Date): SQL<string> {
  return sql`iif(${rsvps.changedAt} = ${notBeforeMark(now)}, ${afterChange}, ${notBeforeMark(now)})`
}

const afterChange = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${rsvps.changedAt}, '+0.001 seconds')`
