import { audited, auditedIfChanged } from '#db/audit/entry.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { type Doubt, doubtOf } from './doubt.ts'
import { changeMark, type Mark, readMark } from './mark.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** A clock is trusted after running this long without a jump. */
const STEADY_PERIOD_MS = 7 * DAY
/** The most that one check counts for: the computer may have been asleep. */
const MAXIMUM_STEP_MS = 10 * MINUTE
/** A clock that is set back by at most this much between two checks counts as steady. */
const MAXIMUM_SET_BACK_MS = MINUTE
/** So does one that moves ahead by at most this much: a restart may take that long. */
const MAXIMUM_RESTART_MS = DAY
/** How often the latest moment is stored: not every check is a write. */
const SEEN_AT_INTERVAL_MS = 10 * MINUTE
/** A doubtful clock without a check for this long belongs to a site that no longer runs. */
const DOUBT_TTL_MS = 3 * MINUTE

/**
 * Checks the clock of a site, and moves the latest known moment forward while the clock is trusted. Call it every minute.
 * @param monotonicMs a clock that cannot be set: `performance.now()`.
 * @returns why the clock is not trusted.
 */
export type ClockCheck = (call: Call, monotonicMs: number) => Promise<Doubt | undefined>

/** One for each process that serves. It remembers what it wrote, to tell that from what other sites write. */
export function watchClock(): ClockCheck {
  let checkedAt: number | undefined
  let written: string | undefined
  let other: { doubtedAt: string; since: number } | undefined

  async function whileDoubtful(mark: Mark, doubt: Doubt, elapsed: number | undefined, call: Call) {
    const steadyMs = steadyTime(mark, call.now, elapsed)
    if (steadyMs >= STEADY_PERIOD_MS) {
      await trust(mark, call)
      return undefined
    }
    written = doubt.clock
    await db.batch([changeMark(mark, { doubtedAt: written, steadyMs }), ...firstDoubt(mark, doubt, call)])
    return doubt
  }

  async function whileTrusted(mark: Mark, { now }: Call, monotonicMs: number): Promise<Doubt | undefined> {
    const seenAt = laterOf(now.toISOString(), mark.seenAt)
    const { doubtedAt } = mark
    if (doubtedAt !== null && doubtedAt !== written) {
      if (other?.doubtedAt !== doubtedAt) other = { doubtedAt, since: monotonicMs }
      if (monotonicMs - other.since < DOUBT_TTL_MS) {
        // This clock is right: the other one must not become trusted just by running.
        if (mark.steadyMs > 0 || isStoreDue(mark, now)) await db.batch([changeMark(mark, { seenAt, steadyMs: 0 })])
        return { kind: 'other', clock: doubtedAt, known: seenAt }
      }
    }
    other = undefined
    if (doubtedAt !== null || isStoreDue(mark, now))
      await db.batch([changeMark(mark, { seenAt, doubtedAt: null, steadyMs: 0 })])
    return undefined
  }

  return async (call, monotonicMs) => {
    const mark = await readMark()
    const elapsed = checkedAt === undefined ? undefined : monotonicMs - checkedAt
    checkedAt = monotonicMs
    const doubt = doubtOf(call.now, mark.seenAt)
    return doubt === undefined ? whileTrusted(mark, call, monotonicMs) : whileDoubtful(mark, doubt, elapsed, call)
  }
}

/** How long the doubtful clock has been steady; zero after a jump. */
function steadyTime({ doubtedAt, steadyMs }: Mark, now: Date, elapsed: number | undefined): number {
  if (doubtedAt === null) return 0
  const step = now.getTime() - Date.parse(doubtedAt)
  if (step < -MAXIMUM_SET_BACK_MS || step > MAXIMUM_RESTART_MS) return 0
  return steadyMs + Math.max(0, Math.min(step, elapsed ?? 0, MAXIMUM_STEP_MS))
}

async function trust(mark: Mark, call: Call): Promise<void> {
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

/** One audit entry when the doubt begins, not one a minute. */
function firstDoubt({ doubtedAt }: Mark, { kind, clock, known }: Doubt, call: Call) {
  return doubtedAt === null ? [audited(call, 'clock doubted', `${clock} is ${kind} ${known}`)] : []
}

function laterOf(one: string, other: string): string {
  return one < other ? other : one
}

function isStoreDue({ seenAt }: Mark, now: Date): boolean {
  return seenAt === '' || now.getTime() - Date.parse(seenAt) >= SEEN_AT_INTERVAL_MS
}
