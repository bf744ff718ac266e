import { eq, lte, sql } from 'drizzle-orm'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import type { Call } from '../operation.ts'
import type { Allowance } from './schema.ts'
import { allowances } from './table.ts'

/**
 * Takes one from an allowance (the generic cell rate algorithm: a token bucket that stores one moment). Atomic, so it
 * holds for all instances on one database.
 * @returns 0 when there was one to take, otherwise the milliseconds until there is.
 */
export async function takeFrom(name: string, { atOnce, everyMs }: Allowance, now: Date): Promise<number> {
  const moment = now.getTime()
  const next = sql`max(${allowances.fullAt}, ${moment}) + ${everyMs}`
  const latest = moment + atOnce * everyMs
  const [, taken, [left]] = await db.batch([
    db.delete(allowances).where(lte(allowances.fullAt, moment)),
    db
      .insert(allowances)
      .values({ name, fullAt: moment + everyMs })
      .onConflictDoUpdate({ target: allowances.name, set: { fullAt: next }, setWhere: sql`${next} <= ${latest}` })
      .returning({ fullAt: allowances.fullAt }),
    db.select({ fullAt: allowances.fullAt }).from(allowances).where(eq(allowances.name, name)),
  ])
  return taken.length > 0 || left === undefined ? 0 : left.fullAt + everyMs - latest
}

/** @throws UserError 'too-many' when the caller's network has sent as many answers as it may. */
export async function refuseTooMany({ network, allowance, now }: Call): Promise<void> {
  if (network === undefined || allowance === undefined) return
  const wait = await takeFrom(`rsvp ${network}`, allowance, now)
  if (wait === 0) return
  const seconds = Math.ceil(wait / 1000)
  throw new UserError(
    'too-many',
    `Too many answers came from your network. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then send yours again.`,
    [],
    seconds,
  )
}
