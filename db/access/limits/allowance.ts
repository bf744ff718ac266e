import { inArray, lte, notBetween, type SQL, sql } from 'drizzle-orm'
import { allowances } from '#db/access/table.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { db, repeatableDb } from '#db/storage/client.ts'

/** No allowance takes longer to fill up: a later moment was written by a clock that was ahead. */
const FILL_MAXIMUM_MS = 7 * 24 * 60 * 60 * 1000

/** Calls may be counted out of order: one that waited is later than one that came after it, but never by more than this. */
export const DISORDER_MAXIMUM_MS = 10_000

/** An allowance and the name under which its use is stored. One that `onlyMarks` refuses no one. */
export type Level = { name: string; allowance: Allowance; onlyMarks?: true }

/** Takes one from an allowance. @returns 0 if one was left, otherwise the milliseconds until there is one. */
export async function takeFrom(name: string, allowance: Allowance, now: Date): Promise<number> {
  return (await takeFromEach([{ name, allowance }], now))?.wait ?? 0
}

/**
 * Takes one from each of several allowances in turn, until one has none (the generic cell rate algorithm: a token bucket
 * that stores one moment). Atomic, so it holds for all instances on one database.
 * @returns which one had none and how many ms until it has; undefined when each had one.
 */
export async function takeFromEach(levels: Level[], now: Date): Promise<(Level & { wait: number }) | undefined> {
  const moment = now.getTime()
  const names = levels.map(({ name }) => name)
  // A retry may take two: that makes no caller wait noticeably longer.
  const [, before, ...taken] = await repeatableDb.batch([
    db.delete(allowances).where(lte(allowances.fullAt, moment)),
    // In the same transaction: afterwards, later requests may already have taken more.
    db.select().from(allowances).where(inArray(allowances.name, names)),
    ...levels.map((level, position) => takeOne(level, moment, position === 0 ? sql`true` : sql`changes() > 0`)),
  ])
  const empty = levels[taken.findIndex((rows) => rows.length === 0)]
  if (empty === undefined) return undefined
  const fullAt = before.find(({ name }) => name === empty.name)?.fullAt ?? moment
  return { ...empty, wait: Math.max(fullAt + empty.allowance.everyMs - latestFull(empty, moment), 1) }
}

/** Takes one, and returns a row if one was left. Takes none unless `condition` holds: that the statement before it took one. */
function takeOne(level: Level, moment: number, condition: SQL) {
  const { name, allowance } = level
  const latest = latestFull(level, moment)
  // Only a clock that was ahead can have written a moment that is much later: the allowance counts as full now.
  const ahead = sql`${allowances.fullAt} > ${latest + DISORDER_MAXIMUM_MS}`
  const fullAt = sql`iif(${ahead}, ${moment}, max(${allowances.fullAt}, ${moment}))`
  const next = sql`${fullAt} + ${allowance.everyMs}`
  return db
    .insert(allowances)
    .select(sql`SELECT ${name}, ${moment + allowance.everyMs} WHERE ${condition}`)
    .onConflictDoUpdate({ target: allowances.name, set: { fullAt: next }, setWhere: sql`${next} <= ${latest}` })
    .returning({ fullAt: allowances.fullAt })
}

/** When an allowance is full again after all of it was taken. */
export function latestFull({ allowance: { atOnce, everyMs } }: Level, moment: number): number {
  return moment + atOnce * everyMs
}

/** Deletes allowances that are full again, and those stored while the clock was ahead. */
export async function forgetFullAllowances(now: Date): Promise<void> {
  const moment = now.getTime()
  await db.batch([db.delete(allowances).where(notBetween(allowances.fullAt, moment + 1, moment + FILL_MAXIMUM_MS))])
}
