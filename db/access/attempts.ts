import { and, between, eq, not } from 'drizzle-orm'
import { noteFlood } from '#db/access/floods.ts'
import { signInAttempts } from '#db/access/table.ts'
import type { Allowance } from '#db/config/config.ts'
import type { Call } from '#db/operation.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { forgetFullAllowances, takeFromEach, tooMany, widerLevels } from './allowance.ts'
import { hashOfToken, newToken } from './tokens.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** How many wrong passwords cause no wait. */
const FREE_FAILURES = 5
/** So many in a row look like guessing; the audit says so once. */
export const GUESSING = FREE_FAILURES + 1
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
 * For one account, from browsers that have never signed in to it. Once it is used up, each network has one try an hour:
 * the person whose account it is has one from anywhere, and a guesser on a thousand networks no more than a thousand.
 */
const perAccount: Allowance = { atOnce: 20, everyMs: HOUR / 20 }
/** How long after a sign-in a browser has tries of its own for that account, which no other can use up, in ms. */
export const KNOWN_DEVICE_TTL_MS = 90 * DAY

const { who, nextAt, knownUntil } = signInAttempts

/**
 * Whose password is tried, and where: in a browser that may have signed in before, or in a session, which has tries of
 * its own. `account` is the administrator's id, or what was typed where there is no such administrator.
 */
type Try = { account: string; device: string | undefined } | { session: number }

/** Who tries, how many tries have failed in a row including this one, and whether the browser has signed in before. */
export type Attempt = { who: string; failures: number; known: boolean }

/**
 * Allows a caller to try a password, or says how long to wait. The attempt counts as a failure until a success is
 * stored, so that twenty concurrent tries count as twenty.
 * @throws UserError 'too-many' that says how long to wait.
 */
export async function takeAttempt(trying: Try, call: Call): Promise<Attempt> {
  const taken = await transaction((tx) => takeIn(tx, trying, call))
  if (!('wait' in taken)) return taken
  throw tooMany(taken.wait, (time) => `Too many wrong passwords. Wait ${time}, then try again.`)
}

async function takeIn(tx: Transaction, trying: Try, call: Call): Promise<Attempt | { wait: number }> {
  const moment = call.now.getTime()
  const network = call.network ?? 'unknown'
  const known = 'session' in trying ? `session ${trying.session}` : await knownDevice(tx, trying, call)
  const name = known ?? `network ${network}`
  const [before] = await tx.select().from(signInAttempts).where(eq(who, name))
  const failed = before === undefined || before.nextAt < moment - HOUR ? 0 : before.failures
  const wait = (before?.nextAt ?? moment) - moment
  // Concurrent tries may arrive out of order: free ones never wait for each other. A wait beyond the maximum was written
  // by a clock that was ahead.
  if (failed >= FREE_FAILURES && wait > 0 && wait <= LONGEST_WAIT) return { wait }
  if (known === undefined && 'account' in trying) {
    const around = widerLevels('sign-in', network, perNetwork)
    const ofAccount = { name: `sign-in account ${hashOfToken(trying.account)}`, allowance: perAccount }
    let empty = await takeFromEach(tx, [...around, globalAllowance, ofAccount], call.now)
    if (empty?.name === globalAllowance.name) {
      await noteFlood(tx, 'passwords', call)
      empty = await takeFromEach(tx, [ofAccount], call.now)
    }
    const hasOwnTry = empty?.name === ofAccount.name && failed === 0
    if (empty !== undefined && !hasOwnTry) return { wait: empty.wait }
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

/** Forgets the failures of a network or a session after a success; those of a browser end by `rememberDevice`. */
export async function attemptSucceeded(tx: Transaction, { who: name }: Attempt): Promise<void> {
  await tx.delete(signInAttempts).where(and(eq(who, name), eq(knownUntil, 0)))
}

/**
 * Gives a browser tries of its own for the account that it has just signed in to.
 * @param sent the token that the browser has already; kept only if it belongs to this account, because another one may
 * have been planted in the browser by someone who knows it.
 * @returns the token that the browser sends from now on.
 */
export async function rememberDevice(
  tx: Transaction,
  { account, device: sent }: { account: string; device: string | undefined },
  call: Call,
): Promise<string> {
  const isKnown = (await knownDevice(tx, { account, device: sent }, call)) !== undefined
  const device = sent !== undefined && isKnown ? sent : newToken()
  const known = { failures: 0, nextAt: 0, knownUntil: call.now.getTime() + KNOWN_DEVICE_TTL_MS }
  await tx
    .insert(signInAttempts)
    .values({ who: nameOfDevice(device, account), ...known })
    .onConflictDoUpdate({ target: who, set: known })
  return device
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

async function knownDevice(
  tx: Transaction,
  { account, device }: { account: string; device: string | undefined },
  { now }: Call,
): Promise<string | undefined> {
  if (device === undefined) return undefined
  const moment = now.getTime()
  const isKnown = between(knownUntil, moment + 1, moment + KNOWN_DEVICE_TTL_MS)
  const [known] = await tx
    .select({ who })
    .from(signInAttempts)
    .where(and(eq(who, nameOfDevice(device, account)), isKnown))
  return known?.who
}

/** For one account: who has signed in to one may guess at another no more than a visitor. */
function nameOfDevice(device: string, account: string): string {
  return `device ${hashOfToken(device)} ${account}`
}
