import { sql } from 'drizzle-orm'
import { audited } from '#db/audit/entry.ts'
import { operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import type { Doubt } from './doubt.ts'
import { changeMark, doubtBy, readMark } from './mark.ts'
import { clockMarks } from './table.ts'

/** The time on this computer's clock, the latest known moment if there is one, and why the clock is not trusted. */
export type Clock = { clock: string; known: string | null; doubt: Doubt | undefined }

/** Checks the clock without changing anything. */
export const getClock = operationWithoutInput(async ({ now }): Promise<Clock> => {
  const mark = await readMark()
  return { clock: now.toISOString(), known: mark.seenAt || null, doubt: doubtBy(mark, now) }
})

/** Why nothing may be purged by date; undefined while the clock is trusted. */
export const findDoubt = operationWithoutInput(async ({ now }) => doubtBy(await readMark(), now))

/**
 * Records that an administrator has seen how many responses a retention anonymizes: all of them may be anonymized at once.
 * Ignored while the clock is doubtful, because the count was wrong then.
 */
export const confirmAnonymization = operationWithoutInput(async ({ now }): Promise<void> => {
  const mark = await readMark()
  if (doubtBy(mark, now) === undefined) await db.batch([changeMark(mark, { anonymizeConfirmedAt: now.toISOString() })])
})

/**
 * Records that this computer's clock is right: it becomes the latest known moment, and everything due by it may be
 * anonymized and erased at once.
 */
export const confirmClock = operationWithoutInput(async (call): Promise<void> => {
  const at = call.now.toISOString()
  const before = sql`${at} || iif(${clockMarks.seenAt} = '', '', ', until then ' || ${clockMarks.seenAt})`
  await db.batch([
    audited(call, 'clock confirmed', sql`(SELECT ${before} FROM ${clockMarks})`),
    db
      .update(clockMarks)
      .set({ seenAt: at, doubtedAt: null, steadyMs: 0, anonymizeConfirmedAt: at, eraseConfirmedAt: at }),
  ])
})
