import { and, between, eq, gt, lt, lte, not, or, sql } from 'drizzle-orm'
import { hashOfToken } from '#db/access/session/session.ts'
import { signInAttempts } from '#db/access/table.ts'
import { noteFlood } from '#db/audit/flood.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { forgetFullAllowances, takeFromEach } from './allowance.ts'
import { widerLevels } from './wider-networks.ts'

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

/** How many of the networks around it count as one: ten at once and one each five minutes for each of those. */
const inNetwork: Allowance = { atOnce: 10, everyMs: LONGEST_WAIT }
/**
 * From everywhere together nobody is kept waiting: it would be who knows the password. It is told to the administrator.
 * 50 at once, and as many an hour.
 */
const everywhere = { name: 'sign-in from everywhere', allowance: { atOnce: 50, everyMs: HOUR / 50 } }
/** How long a browser in which somebody signed in has tries of its own, in ms: no stranger can use them up. */
export const DEVICE_KNOWN_FOR = 90 * DAY

const { who, failures, nextAt, knownUntil } = signInAttempts

/** Who tries, how many tries have failed there with this one, and whether it is a browser in which somebody signed in. */
export type Attempt = { who: string; failures: number; known: boolean }

/**
 * Lets somebody try a password, or not yet. It counts as a failure until a success is written down, so that twenty
 * tries at once are twenty.
 * @param device what the browser got when somebody signed in with it before.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(device: string | undefined, call: Call): Promise<Attempt> {
  const moment = call.now.getTime()
  const known = await knownDevice(device, call)
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
  const tried = { who: name, failures: taken.failures, known: known !== undefined }
  if (known !== undefined) return tried
  const around = widerLevels('sign-in', call.network ?? '', inNetwork)
  const empty = await takeFromEach([...around, everywhere], call.now)
  if (empty?.name === everywhere.name) await noteFlood({ of: 'passwords' }, call)
  else if (empty !== undefined) {
    await giveBackAttempt(tried, call)
    throw tooMany(empty.wait)
  }
  return tried
}

/** Where nobody has looked at the password it was no failure. */
export async function giveBackAttempt({ who: name }: Attempt, { now }: Call): Promise<void> {
  const nextAt = now.getTime()
  await db.batch([
    db
      .update(signInAttempts)
      .set({ failures: sql`max(${failures} - 1, 0)`, nextAt })
      .where(eq(who, name)),
  ])
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
  // A moment that is further away than any can be was written down by a clock that was ahead.
  const waits = between(nextAt, moment - HOUR, moment + LONGEST_WAIT)
  const isKnown = between(knownUntil, moment, moment + DEVICE_KNOWN_FOR)
  await db.batch([db.delete(signInAttempts).where(not(sql`(${waits} OR ${isKnown})`))])
  await forgetFullAllowances(now)
}

async function knownDevice(device: string | undefined, { now }: Call): Promise<string | undefined> {
  if (device === undefined) return undefined
  const name = nameOfDevice(device)
  const moment = now.getTime()
  const isKnown = between(knownUntil, moment + 1, moment + DEVICE_KNOWN_FOR)
  const [known] = await db
    .select({ who })
    .from(signInAttempts)
    .where(and(eq(who, name), isKnown))
  return known?.who
}

/** What a browser is called by the mark that it was given. */
export function nameOfDevice(device: string): string {
  return `device ${hashOfToken(device)}`
}

function tooMany(wait: number): UserError {
  const seconds = Math.ceil(wait / SECOND)
  const time =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return new UserError('too-many', `Too many wrong passwords. Wait ${time}, then try again.`, [], seconds)
}
