import { and, between, eq, gt, lt, lte, not, or, sql } from 'drizzle-orm'
import { noteFlood } from '#db/access/floods.ts'
import { hashOfToken } from '#db/access/sessions.ts'
import { signInAttempts } from '#db/access/table.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { waitText } from '#db/values/dates.ts'
import { forgetFullAllowances, takeFromEach } from './allowance.ts'
import { widerLevels } from './wider-networks.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** How many wrong passwords cause no wait. */
const FREE_FAILURES = 5
/** After that each one doubles the wait, from this … */
const FIRST_WAIT = 5 * SECOND
/** … up to this, so that no administrator is locked out for long: in ten minutes, eleven guesses are compared. */
const LONGEST_WAIT = 300 * SECOND
const DOUBLINGS = Math.ceil(Math.log2(LONGEST_WAIT / FIRST_WAIT))

/** What one network adds to the allowance of the wider networks around it: ten at once, and one each five minutes. */
const perNetwork: Allowance = { atOnce: 10, everyMs: LONGEST_WAIT }
/**
 * For all networks together: 50 at once, and as many an hour. When it is used up no one has to wait, because that would
 * lock out the administrator too; it is recorded as a flood.
 */
const globalAllowance = { name: 'sign-in from everywhere', allowance: { atOnce: 50, everyMs: HOUR / 50 } }
/** How long after a sign-in a browser has tries of its own, which no other browser can use up, in ms. */
export const KNOWN_DEVICE_TTL_MS = 90 * DAY

const { who, failures, nextAt, knownUntil } = signInAttempts

/** Who tries, how many tries have failed in a row including this one, and whether the browser has signed in before. */
export type Attempt = { who: string; failures: number; known: boolean }

/**
 * Allows a caller to try a password, or says how long to wait. The attempt counts as a failure until a success is
 * stored, so that twenty concurrent tries count as twenty.
 * @param device the browser's token from an earlier sign-in.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(device: string | undefined, call: Call): Promise<Attempt> {
  const moment = call.now.getTime()
  const known = await knownDevice(device, call)
  const name = known ?? `network ${call.network ?? 'unknown'}`
  // By failures: 1 to 4 do not wait, 5 waits for 5 s, 6 for 10 s, 7 for 20 s, …, 11 and more for 300 s.
  const doublings = sql`min(${failures} + 1 - ${FREE_FAILURES}, ${DOUBLINGS})`
  const wait = sql`iif(${failures} + 1 < ${FREE_FAILURES}, 0, min(${FIRST_WAIT} << ${doublings}, ${LONGEST_WAIT}))`
  // Concurrent tries may arrive out of order: free ones never wait for each other. A wait beyond the maximum was written
  // by a clock that was ahead.
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
  const around = widerLevels('sign-in', call.network ?? '', perNetwork)
  const empty = await takeFromEach([...around, globalAllowance], call.now)
  if (empty?.name === globalAllowance.name) await noteFlood({ kind: 'passwords' }, call)
  else if (empty !== undefined) {
    await giveBackAttempt(tried, call)
    throw tooMany(empty.wait)
  }
  return tried
}

/** Undoes an attempt whose password was not compared: it was no failure. */
export async function giveBackAttempt({ who: name }: Attempt, { now }: Call): Promise<void> {
  const nextAt = now.getTime()
  await db.batch([
    db
      .update(signInAttempts)
      .set({ failures: sql`max(${failures} - 1, 0)`, nextAt })
      .where(eq(who, name)),
  ])
}

/** Whether so many failures in a row look like guessing. True for one count only, so that it is recorded once. */
export function looksLikeGuessing(failed: number): boolean {
  return failed === FREE_FAILURES + 1
}

/** What a success changes: the failures are reset, and the browser is known. Written in one batch with the session. */
export function attemptSucceeded(tried: string, device: string, { now }: Call) {
  const known = { failures: 0, nextAt: 0, knownUntil: now.getTime() + KNOWN_DEVICE_TTL_MS }
  return [
    db.delete(signInAttempts).where(eq(who, tried)),
    db
      .insert(signInAttempts)
      .values({ who: nameOfDevice(device), ...known })
      .onConflictDoUpdate({ target: who, set: known }),
  ] as const
}

/** Deletes attempts that no longer make a caller wait. */
export async function forgetOldAttempts(now: Date): Promise<void> {
  const moment = now.getTime()
  // A moment beyond the maximum was written by a clock that was ahead.
  const waits = between(nextAt, moment - HOUR, moment + LONGEST_WAIT)
  const isKnown = between(knownUntil, moment, moment + KNOWN_DEVICE_TTL_MS)
  await db.batch([db.delete(signInAttempts).where(not(sql`(${waits} OR ${isKnown})`))])
  await forgetFullAllowances(now)
}

async function knownDevice(device: string | undefined, { now }: Call): Promise<string | undefined> {
  if (device === undefined) return undefined
  const name = nameOfDevice(device)
  const moment = now.getTime()
  const isKnown = between(knownUntil, moment + 1, moment + KNOWN_DEVICE_TTL_MS)
  const [known] = await db
    .select({ who })
    .from(signInAttempts)
    .where(and(eq(who, name), isKnown))
  return known?.who
}

/** The name of a browser's attempts, by the device token that it was given. */
export function nameOfDevice(device: string): string {
  return `device ${hashOfToken(device)}`
}

function tooMany(wait: number): UserError {
  const seconds = Math.ceil(wait / SECOND)
  return new UserError('too-many', `Too many wrong passwords. Wait ${waitText(seconds)}, then try again.`, [], seconds)
}
