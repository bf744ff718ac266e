import { sql } from 'drizzle-orm'

/**
 * The higher revision of event and schedule; 0 while neither is stored. It rises with each change of one of them. Their
 * tables are named here, not imported: this stands below both.
 */
export const latestRevision = sql<number>`max(
  coalesce((SELECT max(revision) FROM events), 0), coalesce((SELECT max(revision) FROM schedules), 0))`

export function isRevision(stored: { revision: number } | undefined, wanted: number[] | 'any'): boolean {
  return stored !== undefined && (wanted === 'any' || wanted.includes(stored.revision))
}

/**
 * The revision of an event or a schedule that is changed: above all that either has had, for the calendars that show both.
 * And the seconds since 1970 at least: after a backup was restored, a number that was already given must not come again for
 * other texts, which an old edit would then overwrite.
 */
export function nextRevision(now: Date) {
  return sql<number>`max(${latestRevision} + 1, ${Math.floor(now.getTime() / 1000)})`
}
