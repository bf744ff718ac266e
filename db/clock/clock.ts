import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { type SQL, sql } from 'drizzle-orm'
import { operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { clockMarks } from './table.ts'

/** How far a clock may be behind the latest known moment: clocks are sometimes set back a little. */
const MAXIMUM_BEHIND_MS = millisecondsInDay
/** How far it may be ahead until everything waits, and not only what is removed by date: a site may be down for a month. */
const MAXIMUM_AHEAD_MS = 45 * millisecondsInDay
/** How far it may be ahead for a removal: more is proven by the following days, and not by one start. */
const MAXIMUM_AHEAD_REMOVING_MS = millisecondsInDay
/** A doubtful clock is trusted after running this long without a jump. One check counts for little: computers sleep. */
const STEADY_PERIOD_MS = 7 * millisecondsInDay
const MAXIMUM_STEP_MS = 10 * millisecondsInMinute
/** If only removals wait, the days between two starts count too: a site may run for its weekly service alone. */
const STEADY_PERIOD_REMOVING_MS = 6 * millisecondsInDay
const MAXIMUM_STEP_REMOVING_MS = 8 * millisecondsInDay

/** Why the clock is not trusted. `clock` is its time, `known` the latest known moment; ISO 8601 in UTC. */
export type Doubt = {
  /** `other`: this clock is fine, but another site on the same database has a doubtful one. */
  kind: 'behind' | 'ahead' | 'other'
  stops: 'removals' | 'everything'
  clock: string
  known: string
}

type Mark = Pick<typeof clockMarks.$inferSelect, 'seenAt' | 'doubtedAt' | 'steadyMs'>

/** Why nothing may be removed by date: every removal asks this. Undefined while the clock is trusted. Changes nothing. */
export const findRemovalDoubt = operationWithoutInput(async ({ now }) => doubtBy(await readMark(), now))

/** Why mail and those who come every week wait as well: only a clock that is far off stops these. Changes nothing. */
export const findDoubt = operationWithoutInput(async (call) => {
  const doubt = await findRemovalDoubt(call)
  return doubt?.stops === 'everything' ? doubt : undefined
})

/**
 * Checks the clock before removals and, while it is trusted, stores its time as the latest known moment. After a doubt,
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
    const steadyMs = steadyTime(mark, now, doubt.stops)
    const isSteady = steadyMs >= (doubt.stops === 'removals' ? STEADY_PERIOD_REMOVING_MS : STEADY_PERIOD_MS)
    await tx.update(clockMarks).set(isSteady ? { ...change, seenAt: clock } : { doubtedAt: clock, steadyMs })
    return isSteady ? undefined : doubt
  }),
)

/** What is wrong and what to do, as shown in the log, by `rsvp doctor` and in the administration. */
export function doubtSentence({ kind, stops, clock, known }: Doubt): string {
  const removals = 'Until then nothing is made anonymous, erased or removed by date'
  const waits =
    stops === 'removals' ? `${removals}.` : `${removals}, no mail is sent, and those who come every week are not added.`
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
function doubtBy({ seenAt, doubtedAt, steadyMs }: Mark, now: Date): Doubt | undefined {
  const kind = kindOf(now.getTime() - Date.parse(seenAt))
  const clock = kind === undefined ? doubtedAt : now.toISOString()
  if (clock === null) return undefined
  const gap = Date.parse(clock) - Date.parse(seenAt)
  // What has passed while the site ran is no jump.
  const isFar = gap < -MAXIMUM_BEHIND_MS || gap - steadyMs > MAXIMUM_AHEAD_MS
  return { kind: kind ?? 'other', stops: isFar ? 'everything' : 'removals', clock, known: seenAt }
}

function kindOf(gap: number): 'behind' | 'ahead' | undefined {
  if (gap < -MAXIMUM_BEHIND_MS) return 'behind'
  return gap > MAXIMUM_AHEAD_REMOVING_MS ? 'ahead' : undefined
}

/** How long the doubtful clock has run since it was first doubted; zero again after a jump. */
function steadyTime({ doubtedAt, steadyMs }: Mark, now: Date, stops: Doubt['stops']): number {
  const step = doubtedAt === null ? -1 : now.getTime() - Date.parse(doubtedAt)
  const isJump = step < 0 || step > (stops === 'removals' ? MAXIMUM_STEP_REMOVING_MS : millisecondsInDay)
  return isJump ? 0 : steadyMs + (stops === 'removals' ? step : Math.min(step, MAXIMUM_STEP_MS))
}
