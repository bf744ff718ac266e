import { audited, auditedIfChanged } from '#db/audit/entry.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { type Doubt, doubtOf } from './doubt.ts'
import { changeMark, type Mark, readMark } from './mark.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** A clock that ran so long without a jump is believed, in ms. */
const STEADY_ENOUGH = 7 * DAY
/** One look counts for no more than this, in ms: the computer may have slept. */
const LONGEST_STEP = 10 * MINUTE
/** A clock is set back by so much now and then, in ms, and is steady all the same; … */
const SET_BACK_MAXIMUM = MINUTE
/** … and a restart takes up to so long. */
const RESTART_MAXIMUM = DAY
/** The latest moment is written down this often, in ms: not every look is a write. */
const NOTED_EVERY = 10 * MINUTE
/** A doubtful clock that was not looked at for so long, in ms, belongs to a site that is gone. */
const GONE_AFTER = 3 * MINUTE

/**
 * Looks at the clock of a site, and moves the latest moment known forward while it is believed. Look every minute.
 * @param monotonicMs a clock that cannot be set, as of `performance.now()`.
 * @returns why the clock is not believed.
 */
export type Look = (call: Call, monotonicMs: number) => Promise<Doubt | undefined>

/** One for each process that serves. It remembers what it wrote itself, to tell it from what other sites write. */
export function watchClock(): Look {
  let lookedAt: number | undefined
  let written: string | undefined
  let other: { doubtedAt: string; since: number } | undefined

  async function doubting(mark: Mark, doubt: Doubt, elapsed: number | undefined, call: Call) {
    const steadyMs = steadyTime(mark, call.now, elapsed)
    if (steadyMs >= STEADY_ENOUGH) {
      await believe(mark, call)
      return undefined
    }
    written = doubt.clock
    await db.batch([changeMark(mark, { doubtedAt: written, steadyMs }), ...firstDoubt(mark, doubt, call)])
    return doubt
  }

  async function believing(mark: Mark, { now }: Call, monotonicMs: number): Promise<Doubt | undefined> {
    const seenAt = laterOf(now.toISOString(), mark.seenAt)
    const { doubtedAt } = mark
    if (doubtedAt !== null && doubtedAt !== written) {
      if (other?.doubtedAt !== doubtedAt) other = { doubtedAt, since: monotonicMs }
      if (monotonicMs - other.since < GONE_AFTER) {
        // Here the time is right: the other one must not become believed by running on.
        if (mark.steadyMs > 0 || isNoteDue(mark, now)) await db.batch([changeMark(mark, { seenAt, steadyMs: 0 })])
        return { kind: 'other', clock: doubtedAt, known: seenAt }
      }
    }
    other = undefined
    if (doubtedAt !== null || isNoteDue(mark, now))
      await db.batch([changeMark(mark, { seenAt, doubtedAt: null, steadyMs: 0 })])
    return undefined
  }

  return async (call, monotonicMs) => {
    const mark = await readMark()
    const elapsed = lookedAt === undefined ? undefined : monotonicMs - lookedAt
    lookedAt = monotonicMs
    const doubt = doubtOf(call.now, mark.seenAt)
    return doubt === undefined ? believing(mark, call, monotonicMs) : doubting(mark, doubt, elapsed, call)
  }
}

/** How long the doubtful clock has been steady; from the beginning again after a jump. */
function steadyTime({ doubtedAt, steadyMs }: Mark, now: Date, elapsed: number | undefined): number {
  if (doubtedAt === null) return 0
  const step = now.getTime() - Date.parse(doubtedAt)
  if (step < -SET_BACK_MAXIMUM || step > RESTART_MAXIMUM) return 0
  return steadyMs + Math.max(0, Math.min(step, elapsed ?? 0, LONGEST_STEP))
}

async function believe(mark: Mark, call: Call): Promise<void> {
  const seenAt = call.now.toISOString()
  const upToNow = (confirmedAt: string | null) => (confirmedAt === null || confirmedAt > seenAt ? null : confirmedAt)
  await db.batch([
    changeMark(mark, {
      seenAt,
      doubtedAt: null,
      steadyMs: 0,
      anonymizeConfirmedAt: upToNow(mark.anonymizeConfirmedAt),
      eraseConfirmedAt: upToNow(mark.eraseConfirmedAt),
    }),
    auditedIfChanged(call, 'clock confirmed', 'after seven days of steady running'),
  ])
}

/** One line where it begins, not one a minute. */
function firstDoubt({ doubtedAt }: Mark, { kind, clock, known }: Doubt, call: Call) {
  return doubtedAt === null ? [audited(call, 'clock doubted', `${clock} is ${kind} ${known}`)] : []
}

function laterOf(one: string, other: string): string {
  return one < other ? other : one
}

function isNoteDue({ seenAt }: Mark, now: Date): boolean {
  return seenAt === '' || now.getTime() - Date.parse(seenAt) >= NOTED_EVERY
}
