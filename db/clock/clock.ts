import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { type SQL, sql } from 'drizzle-orm'
import { operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { clockMarks } from './table.ts'

/** How far a clock may be behind the latest known moment: clocks are sometimes set back a little. */
const MAXIMUM_BEHIND_MS = millisecondsInDay
/** How far it may be ahead: a site may be down for a month. */
const MAXIMUM_AHEAD_MS = 45 * millisecondsInDay
/** A doubtful clock is trusted after running this long without a jump. One check counts for little: computers sleep. */
const STEADY_PERIOD_MS = 7 * millisecondsInDay
const MAXIMUM_STEP_MS = 10 * millisecondsInMinute

/** Why the clock is not trusted. `clock` is its time, `known` the latest known moment; ISO 8601 in UTC. */
export type Doubt = {
  /** `other`: this clock is fine, but another site on the same database has a doubtful one. */
  kind: 'behind' | 'ahead' | 'other'
  clock: string
  known: string
}

type Mark = Pick<typeof clockMarks.$inferSelect, 'seenAt' | 'doubtedAt' | 'steadyMs'>

/** Why nothing may be purged by date; undefined while the clock is trusted. Changes nothing. */
export const findDoubt = operationWithoutInput(async ({ now }) => doubtBy(await readMark(), now))

/**
 * Checks the clock before a purge and, while it is trusted, stores its time as the latest known moment. After a doubt,
 * check again a minute later: by then another site on the database has renewed its doubt, or has none.
 */
export const checkClock = operationWithoutInput(({ now }) =>
  transaction(async (tx): Promise<Doubt | undefined> => {
    const mark = await readMark()
    const doubt = doubtBy(mark, now)
    const clock = now.toISOString()
    const seenAt = [clock, mark.seenAt].toSorted().at(1) ?? clock
    const change = { seenAt, doubtedAt: null, steadyMs: 0 }
    if (doubt === undefined || doubt.kind === 'other') {
      await tx.update(clockMarks).set(change)
      return doubt
    }
    const steadyMs = steadyTime(mark, now)
    const isSteady = steadyMs >= STEADY_PERIOD_MS
    await tx.update(clockMarks).set(isSteady ? { ...change, seenAt: clock } : { doubtedAt: clock, steadyMs })
    return isSteady ? undefined : doubt
  }),
)

/** What is wrong and what to do, as shown in the log, by `rsvp doctor` and in the administration. */
export function doubtSentence({ kind, clock, known }: Doubt): string {
  const waits =
    'Until then nothing is made anonymous, erased or removed by date, no mail is sent, and those who come every week are not added.'
  const [shown, latest] = [clock, known].map((iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`)
  if (kind === 'other') {
    return `The clock of another site on this database, or of this site before its last start, showed ${shown}; the latest moment known is ${latest}. Set that clock right. ${waits}`
  }
  const days = Math.round(Math.abs(Date.parse(clock) - Date.parse(known)) / millisecondsInDay)
  return `The clock shows ${shown}, ${days} days ${kind === 'behind' ? 'before' : 'after'} the latest moment known, ${latest}. Set the clock right; if it is right, it is trusted once the site has run for seven days. ${waits}`
}

/** The current moment, but never before the latest known one, so that nothing is backdated. */
export function notBeforeMark(now: Date): SQL<string> {
  return sql`max(${now.toISOString()}, (SELECT ${clockMarks.seenAt} FROM ${clockMarks}))`
}

/** The latest known moment if this clock is behind it, otherwise null. */
export function markIfLater(createdAt: string): SQL<string | null> {
  return sql`(SELECT ${clockMarks.seenAt} FROM ${clockMarks} WHERE ${clockMarks.seenAt} > ${createdAt})`
}

async function readMark(): Promise<Mark> {
  const [mark] = await db.select().from(clockMarks)
  if (mark === undefined) throw new Error('The latest moment known is missing from the database.')
  return mark
}

/** Any clock is trusted while no moment is known. */
function doubtBy({ seenAt, doubtedAt }: Mark, now: Date): Doubt | undefined {
  const gap = now.getTime() - Date.parse(seenAt)
  const clock = now.toISOString()
  if (gap < -MAXIMUM_BEHIND_MS) return { kind: 'behind', clock, known: seenAt }
  if (gap > MAXIMUM_AHEAD_MS) return { kind: 'ahead', clock, known: seenAt }
  return doubtedAt === null ? undefined : { kind: 'other', clock: doubtedAt, known: seenAt }
}

/** How long the doubtful clock has run since it was first doubted; zero again after a jump. */
function steadyTime({ doubtedAt, steadyMs }: Mark, now: Date): number {
  const step = doubtedAt === null ? -1 : now.getTime() - Date.parse(doubtedAt)
  return step < 0 || step > millisecondsInDay ? 0 : steadyMs + Math.min(step, MAXIMUM_STEP_MS)
}
