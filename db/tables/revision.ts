import { sql } from 'drizzle-orm'

/**
 * The higher revision of event and schedule; 0 while neither is stored. It rises with each change of one of them. Their
 * tables are named here, not imported, because both import this file.
 */
export const latestRevision = sql<number>`max(
  coalesce((SELECT max(revision) FROM events), 0), coalesce((SELECT max(revision) FROM schedules), 0))`

export function isRevision(stored: { revision: number } | undefined, wanted: number[] | 'any'): boolean {
  return stored !== undefined && (wanted === 'any' || wanted.includes(stored.revision))
}

/**
 * The next revision of the event or the schedule: higher than any that either has had, because calendars show both. At
 * least the seconds since 1970: after a restore, a number already used must not return for other texts, which an old
 * edit would then overwrite.
 */
export function nextRevision(now: Date) {
  return sql<number>`max(${latestRevision} + 1, ${Math.floor(now.getTime() / 1000)})`
}
