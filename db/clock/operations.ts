import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audited } from '#db/audit/entry.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import type { Doubt } from './doubt.ts'
import { changeMark, doubtBy, readMark } from './mark.ts'
import { clockMarks } from './table.ts'

/** What this computer's clock shows, the latest moment known, if there is one, and why the time is not believed. */
export type Clock = { clock: string; known: string | null; doubt: Doubt | undefined }

/** Looks at the time, and writes nothing. */
export const getClock = operation(z.unknown(), async (_input, { now }): Promise<Clock> => {
  const mark = await readMark()
  return { clock: now.toISOString(), known: mark.seenAt || null, doubt: doubtBy(mark, now) }
})

/** Why nothing may be removed by date at the moment; undefined while the time is believed. */
export const findDoubt = operation(z.unknown(), async (_input, { now }) => doubtBy(await readMark(), now))

/**
 * Somebody has seen how many responses a retention makes anonymous, and wants it: they may go as a whole. Counts for
 * nothing while the time is not believed, as the number was wrong then.
 */
export const confirmAnonymization = operation(z.unknown(), async (_input, { now }): Promise<void> => {
  const mark = await readMark()
  if (doubtBy(mark, now) === undefined) await db.batch([changeMark(mark, { anonymizeConfirmedAt: now.toISOString() })])
})

/**
 * Somebody says that this computer's clock is right: from now on it is the latest moment known, and what is due by it
 * may be made anonymous and erased without a bound.
 */
export const confirmClock = operation(z.unknown(), async (_input, call): Promise<void> => {
  const at = call.now.toISOString()
  const before = sql`${at} || iif(${clockMarks.seenAt} = '', '', ', until then ' || ${clockMarks.seenAt})`
  await db.batch([
    audited(call, 'clock confirmed', sql`(SELECT ${before} FROM ${clockMarks})`),
    db
      .update(clockMarks)
      .set({ seenAt: at, doubtedAt: null, steadyMs: 0, anonymizeConfirmedAt: at, eraseConfirmedAt: at }),
  ])
})
