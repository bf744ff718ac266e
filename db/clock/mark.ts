import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { type Doubt, doubtOf } from './doubt.ts'
import { clockMarks } from './table.ts'

export type Mark = Omit<typeof clockMarks.$inferSelect, 'id'>

const { seenAt, doubtedAt, steadyMs, anonymizeConfirmedAt, eraseConfirmedAt } = clockMarks

export async function readMark(): Promise<Mark> {
  const columns = { seenAt, doubtedAt, steadyMs, anonymizeConfirmedAt, eraseConfirmedAt }
  const [mark] = await db.select(columns).from(clockMarks)
  if (mark === undefined) throw new Error('The latest moment known is missing from the database.')
  return mark
}

/** Changes the mark, unless another site has changed it since it was read: that one is more recent. */
export function changeMark(read: Mark, change: Partial<Mark>) {
  const unchanged = and(
    eq(seenAt, read.seenAt),
    read.doubtedAt === null ? isNull(doubtedAt) : eq(doubtedAt, read.doubtedAt),
  )
  return db.update(clockMarks).set(change).where(unchanged)
}

/** Why this clock, or that of another site, is not trusted. Changes nothing. */
export function doubtBy(mark: Mark, now: Date): Doubt | undefined {
  const own = doubtOf(now, mark.seenAt)
  if (own !== undefined || mark.doubtedAt === null) return own
  return { kind: 'other', clock: mark.doubtedAt, known: mark.seenAt }
}

/** The current moment, but never before the latest known one, so that nothing is backdated. */
export function notBeforeMark(now: Date): SQL<string> {
  return sql`max(${now.toISOString()}, (SELECT ${seenAt} FROM ${clockMarks}))`
}

/** The latest known moment if this clock is behind it, otherwise null. */
export function markIfLater(createdAt: SQL): SQL<string | null> {
  return sql`(SELECT ${seenAt} FROM ${clockMarks} WHERE ${seenAt} > ${createdAt})`
}
