import { and, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import type { Call } from '../operation.ts'
import { forgetFullAllowances, takeFrom } from './allowance.ts'
import type { Allowance } from './schema.ts'
import { hashOfToken } from './session.ts'
import { signInAttempts } from './table.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** Wrong passwords that cost nothing. */
const FREE_FAILURES = 5
/** After that each one doubles the wait, from this … */
const FIRST_WAIT = 5 * SECOND
/** … up to this, so that nobody is locked out for long: ten minutes of guessing reach the password eleven times. */
const LONGEST_WAIT = 300 * SECOND
const DOUBLINGS = Math.ceil(Math.log2(LONGEST_WAIT / FIRST_WAIT))

/** From everywhere together, but for known browsers: never more than a hundred in any hour. */
const inAll: Allowance = { atOnce: 50, everyMs: HOUR / 50 }
export const IN_ALL = 'sign-in'
/** How long a browser in which somebody signed in has tries of its own, in ms: no stranger can use them up. */
export const DEVICE_KNOWN_FOR = 90 * DAY

const { who, failures, nextAt, knownUntil } = signInAttempts

/**
 * Lets somebody try a password, or not yet. It counts as a failure until a success is written down, so that twenty
 * tries at once are twenty.
 * @returns who tries, and how many tries have failed there with this one.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(call: Call): Promise<{ who: string; failures: number }> {
  const moment = call.now.getTime()
  const known = await knownDevice(call)
  const name = known ?? `network ${call.network ?? 'unknown'}`
  // By failures: 1 to 4 wait for nothing, 5 for 5 s, 6 for 10 s, 7 for 20 s, …, 11 and all others for 300 s.
  const doublings = sql`min(${failures} + 1 - ${FREE_FAILURES}, ${DOUBLINGS})`
  const wait = sql`iif(${failures} + 1 < ${FREE_FAILURES}, 0, min(${FIRST_WAIT} << ${doublings}, ${LONGEST_WAIT}))`
  // Two that come together may not come in their order: while they cost nothing none of them waits for the other. And a
  // wait that is longer than any was written down by a clock that was ahead.
  const isDue = or(lt(failures, FREE_FAILURES), lte(nextAt, moment), gt(nextAt, moment + LONGEST_WAIT))
  const [[taken], [waiting]] = await db.batch([
    db
      .insert(signInAttempts)
      .values({ who: name, failures: 1, nextAt: moment, knownUntil: 0 })
      .onConflictDoUpdate({
        target: who,
        set: { failures: sql`${failures} + 1`, nextAt: sql`${moment} + ${wait}` },
        setWhere: isDue,
      })
      .returning({ failures }),
    db.select({ nextAt }).from(signInAttempts).where(eq(who, name)),
  ])
  if (taken === undefined) throw tooMany((waiting?.nextAt ?? moment) - moment)
  const wanted = known === undefined ? await takeFrom(IN_ALL, inAll, call.now) : 0
  if (wanted === 0) return { who: name, failures: taken.failures }
  // Nobody has looked at the password, so it was no failure.
  await db.batch([
    db
      .update(signInAttempts)
      .set({ failures: taken.failures - 1, nextAt: moment })
      .where(eq(who, name)),
  ])
  throw tooMany(wanted)
}

/** Whether so many failures in a row look like somebody who guesses. Once in a row, so that it is told once. */
export function looksLikeGuessing(failed: number): boolean {
  return failed === FREE_FAILURES + 1
}

/** What a success changes: who tried starts afresh, and the browser is known. Written together with the session. */
export function attemptSucceeded(tried: string, device: string, { now }: Call) {
  const known = { failures: 0, nextAt: 0, knownUntil: now.getTime() + DEVICE_KNOWN_FOR }
  return [
    db.delete(signInAttempts).where(eq(who, tried)),
    db
      .insert(signInAttempts)
      .values({ who: nameOfDevice(device), ...known })
      .onConflictDoUpdate({ target: who, set: known }),
  ] as const
}

/** Forgets what no longer makes anybody wait. */
export async function forgetOldAttempts(now: Date): Promise<void> {
  const moment = now.getTime()
  await db.batch([db.delete(signInAttempts).where(and(lt(nextAt, moment - HOUR), lt(knownUntil, moment)))])
  await forgetFullAllowances(now)
}

async function knownDevice({ device, now }: Call): Promise<string | undefined> {
  if (device === undefined) return undefined
  const name = nameOfDevice(device)
  const [known] = await db
    .select({ who })
    .from(signInAttempts)
    .where(and(eq(who, name), gt(knownUntil, now.getTime())))
  return known?.who
}

function nameOfDevice(device: string): string {
  return `device ${hashOfToken(device)}`
}

function tooMany(wait: number): UserError {
  const seconds = Math.ceil(wait / SECOND)
  const time =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return new UserError('too-many', `Too many wrong passwords. Wait ${time}, then try again.`, [], seconds)
}
