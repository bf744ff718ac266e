import { eq, lte, sql } from 'drizzle-orm'
import { db } from '../client.ts'
import { mayRepeat } from '../repeatable.ts'
import type { Allowance } from './schema.ts'
import { allowances } from './table.ts'

/**
 * Takes one from an allowance (the generic cell rate algorithm: a token bucket that stores one moment). Atomic, so it
 * holds for all instances on one database.
 * @returns 0 when there was one to take, otherwise the milliseconds until there is.
 */
export async function takeFrom(name: string, { atOnce, everyMs }: Allowance, now: Date): Promise<number> {
  const moment = now.getTime()
  const latest = moment + atOnce * everyMs
  // Nothing is full later than that: the clock was ahead when it was written down.
  const fullAt = sql`iif(${allowances.fullAt} > ${latest}, ${moment}, max(${allowances.fullAt}, ${moment}))`
  const next = sql`${fullAt} + ${everyMs}`
  // Sent again, it may take two: nobody has to wait noticeably longer for that.
  const [, taken, [left]] = await mayRepeat(() =>
    db.batch([
      db.delete(allowances).where(lte(allowances.fullAt, moment)),
      db
        .insert(allowances)
        .values({ name, fullAt: moment + everyMs })
        .onConflictDoUpdate({ target: allowances.name, set: { fullAt: next }, setWhere: sql`${next} <= ${latest}` })
        .returning({ fullAt: allowances.fullAt }),
      db.select({ fullAt: allowances.fullAt }).from(allowances).where(eq(allowances.name, name)),
    ]),
  )
  return taken.length > 0 || left === undefined ? 0 : left.fullAt + everyMs - latest
}

/** Forgets what is full again; it means nothing any more. */
export async function forgetFullAllowances(now: Date): Promise<void> {
  await db.batch([db.delete(allowances).where(lte(allowances.fullAt, now.getTime()))])
}
