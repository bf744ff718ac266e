import { and, between, eq, not } from 'drizzle-orm'
import { noteFlood } from '#db/access/floods.ts'
import { signInAttempts } from '#db/access/table.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { waitText } from '#db/values/dates.ts'
import { forgetFullAllowances, takeFromEach, widerLevels } from './allowance.ts'
import { hashOfToken } from './tokens.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** How many wrong passwords cause no wait. */
const FREE_FAILURES = 5
/** After that each one doubles the wait, from this … */
const FIRST_WAIT = 5 * SECOND
/** … up to this, so that no administrator is locked out for long: in ten minutes, eleven guesses are compared. */
const LONGEST_WAIT = 300 * SECOND

/** What one network adds to the allowance of the wider networks around it: ten at once, and one each five minutes. */
const perNetwork: Allowance = { atOnce: 10, everyMs: LONGEST_WAIT }
/**
 * For all networks together: 50 at once, and as many an hour. When it is used up no one has to wait, because that would
 * lock out the administrator too; it is recorded as a flood.
 */
const globalAllowance = { name: 'sign-in from everywhere', allowance: { atOnce: 50, everyMs: HOUR / 50 } }
/**
 * For one account, from browsers that have never signed in. Once it is used up, each network has a single try: the owner of
 * the account has one from anywhere, and one who guesses from a thousand networks no more than before.
 */
const perAccount: Allowance = { atOnce: 20, everyMs: HOUR / 20 }
/** How long after a sign-in a browser has tries of its own, which no other browser can use up, in ms. */
export const KNOWN_DEVICE_TTL_MS = 90 * DAY

const { who, nextAt, knownUntil } = signInAttempts

/** Who tries, how many tries have failed in a row including this one, and whether the browser has signed in before. */
export type Attempt = { who: string; failures: number; known: boolean }

/**
 * Allows a caller to try a password, or says how long to wait. The attempt counts as a failure until a success is
 * stored, so that twenty concurrent tries count as twenty.
 * @param device the browser's token from an earlier sign-in.
 * @param account whose password it would be: what was typed, whether it exists or not.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(
  device: string | undefined,
  account: string | undefined,
  call: Call,
): Promise<Attempt> {
  const taken = await transaction((tx) => takeIn(tx, device, account, call))
  if (!('wait' in taken)) return taken
  const seconds = Math.ceil(taken.wait / SECOND)
  throw new UserError('too-many', `Too many wrong passwords. Wait ${waitText(seconds)}, then try again.`, [], seconds)
}

async function takeIn(
  tx: Transaction,
  device: string | undefined,
  account: string | undefined,
  call: Call,
): Promise<Attempt | { wait: number }> {
  const moment = call.now.getTime()
  const known = await knownDevice(tx, device, call)
  const network = call.network ?? 'unknown'
  const name = known ?? `network ${network}`
  const [before] = await tx.select().from(signInAttempts).where(eq(who, name))
  const failed = before?.failures ?? 0
  const wait = (before?.nextAt ?? moment) - moment
  // Concurrent tries may arrive out of order: free ones never wait for each other. A wait beyond the maximum was written
  // by a clock that was ahead.
  if (failed >= FREE_FAILURES && wait > 0 && wait <= LONGEST_WAIT) return { wait }
  if (known === undefined) {
    const around = widerLevels('sign-in', network, perNetwork)
    const empty = await takeFromEach(tx, [...around, globalAllowance], call.now)
    if (empty?.name === globalAllowance.name) await noteFlood(tx, 'passwords', call)
    else if (empty !== undefined) return { wait: empty.wait }
    const ofAccount = { name: `sign-in account ${hashOfToken(account ?? '')}`, allowance: perAccount }
    const spent = await takeFromEach(tx, [ofAccount], call.now)
    if (spent !== undefined && failed > 0) return { wait: spent.wait }
  }
  const tried = { failures: failed + 1, nextAt: moment + waitAfter(failed + 1) }
  await tx
    .insert(signInAttempts)
    .values({ who: name, knownUntil: 0, ...tried })
    .onConflictDoUpdate({ target: who, set: tried })
  return { who: name, failures: tried.failures, known: known !== undefined }
}

/** By failures: 1 to 4 do not wait, 5 waits for 5 s, 6 for 10 s, 7 for 20 s, …, 11 and more for 300 s. */
function waitAfter(failed: number): number {
  return failed < FREE_FAILURES ? 0 : Math.min(FIRST_WAIT * 2 ** (failed - FREE_FAILURES), LONGEST_WAIT)
}

/** Undoes an attempt whose password was not compared: it was no failure. */
export async function giveBackAttempt({ who: name }: Attempt, { now }: Call): Promise<void> {
  await transaction(async (tx) => {
    const [tried] = await tx.select().from(signInAttempts).where(eq(who, name))
    if (tried === undefined) return
    const before = { failures: Math.max(tried.failures - 1, 0), nextAt: now.getTime() }
    await tx.update(signInAttempts).set(before).where(eq(who, name))
  })
}

/** Whether so many failures in a row look like guessing. True for one count only, so that it is recorded once. */
export function looksLikeGuessing(failed: number): boolean {
  return failed === FREE_FAILURES + 1
}

/** What a success changes: the failures are reset, and the browser is known. */
export async function attemptSucceeded(tx: Transaction, tried: string, device: string, { now }: Call): Promise<void> {
  const known = { failures: 0, nextAt: 0, knownUntil: now.getTime() + KNOWN_DEVICE_TTL_MS }
  await tx.delete(signInAttempts).where(eq(who, tried))
  await tx
    .insert(signInAttempts)
    .values({ who: nameOfDevice(device), ...known })
    .onConflictDoUpdate({ target: who, set: known })
}

/** Deletes attempts that no longer make a caller wait. */
export async function forgetOldAttempts(now: Date): Promise<void> {
  const moment = now.getTime()
  // A moment beyond the maximum was written by a clock that was ahead.
  const waits = between(nextAt, moment - HOUR, moment + LONGEST_WAIT)
  const isKnown = between(knownUntil, moment, moment + KNOWN_DEVICE_TTL_MS)
  await transaction((tx) => tx.delete(signInAttempts).where(and(not(waits), not(isKnown))), { repeatable: true })
  await forgetFullAllowances(now)
}

async function knownDevice(tx: Transaction, device: string | undefined, { now }: Call): Promise<string | undefined> {
  if (device === undefined) return undefined
  const name = nameOfDevice(device)
  const moment = now.getTime()
  const isKnown = between(knownUntil, moment + 1, moment + KNOWN_DEVICE_TTL_MS)
  const [known] = await tx
    .select({ who })
    .from(signInAttempts)
    .where(and(eq(who, name), isKnown))
  return known?.who
}

export function nameOfDevice(device: string): string {
  return `device ${hashOfToken(device)}`
}
