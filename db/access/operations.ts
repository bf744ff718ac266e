import { and, desc, eq, gt, inArray, like, lte, not, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit, recordAct } from '#db/audit/operations.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { type Call, isOpenMode, operation, operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { newPassword } from '#db/values/schemas.ts'
import {
  type Attempt,
  attemptSucceeded,
  giveBackAttempt,
  looksLikeGuessing,
  nameOfDevice,
  takeAttempt,
} from './attempts.ts'
import { hashPassword, isPasswordOf, renewHash, storedHash } from './password.ts'
import { signInRequest } from './schema.ts'
import {
  hashOfToken,
  IDLE_MAXIMUM_MS,
  LAST_USED_INTERVAL_MS,
  newToken,
  SESSION_MAXIMUM_MS,
  type SignedIn,
} from './sessions.ts'
import { allowances, passwords, sessions, signInAttempts } from './table.ts'

/** Who is signed in. All moments are ISO 8601 in UTC; `endsAt` is when it ends if it is not used again. */
export type Session = { id: number; createdAt: string; usedAt: string; endsAt: string }

type AccessState = { mode: 'open' | 'guarded'; signedIn: boolean }

/** Whether a password is set: then only a signed-in administrator may administer. */
export const isGuarded = operationWithoutInput(async () => (await storedHash()) !== undefined)

/** What a browser asks to know whether it has to show the sign-in form. */
export const getAccess = operationWithoutInput(async (call): Promise<AccessState> => {
  const open = isOpenMode(call)
  return { mode: open ? 'open' : 'guarded', signedIn: !open && call.administrator }
})

/** Sets or replaces the password, and ends every session. Waits after wrong passwords end too. */
export const setPassword = operation(newPassword, async (password, call): Promise<void> => {
  const hash = await hashPassword(password)
  await transaction(async (tx) => {
    await tx.insert(passwords).values({ hash }).onConflictDoUpdate({ target: passwords.id, set: { hash } })
    await tx.delete(sessions)
    await tx.delete(signInAttempts)
    await tx.delete(allowances).where(like(allowances.name, 'sign-in %'))
    await audit(tx, call, 'password set')
  })
})

/** Sets the password of the settings, if it is not the one that is set already. */
export const applyPassword = operation(newPassword, async (password, call): Promise<void> => {
  const hash = await storedHash()
  if (hash === undefined || !(await isPasswordOf(hash, password))) await setPassword(password, call)
})

/**
 * Starts a session, and ends the one that the browser had before.
 * @throws UserError 'unauthenticated' when the password is wrong, 'too-many' when there were too many wrong ones before,
 * 'overloaded' when too many try at this moment, 'not-found' when none is set.
 */
export const signIn = operation(signInRequest, async ({ password, ...browser }, call): Promise<SignedIn> => {
  const hash = await storedHash()
  if (hash === undefined) {
    throw new UserError('not-found', `No admin password is set. Set one with \`${rsvpCommand} password\`.`)
  }
  const attempt = await takeAttempt(browser.device, call)
  const { who, failures } = attempt
  if (await compare(hash, password, attempt, call))
    return startSession(await renewHash(hash, password), who, browser, call)
  if (looksLikeGuessing(failures)) await recordAct({ action: 'wrong passwords', subject: `${failures} in a row` }, call)
  throw new UserError('unauthenticated', 'The password is wrong. Try again.')
})

/** Known browsers go first, then those with the fewest failures: guessers wait for each other, administrators do not. */
async function compare(hash: string, password: string, attempt: Attempt, call: Call): Promise<boolean> {
  const { who, failures, known } = attempt
  try {
    return await isPasswordOf(hash, password, { line: who, rank: known ? 0 : failures })
  } catch (error) {
    await giveBackAttempt(attempt, call)
    throw error
  }
}

export const signOut = operation(
  z.object({ token: z.optional(z.string()) }),
  async ({ token }, call): Promise<void> => {
    if (token === undefined) return
    await transaction(async (tx) => {
      const isOwn = eq(sessions.tokenHash, hashOfToken(token))
      const ended = await tx.delete(sessions).where(isOwn).returning({ id: sessions.id })
      if (ended.length > 0) await audit(tx, call, 'signed out')
    })
  },
)

/** The session of a valid token. Updates when it was last used. */
export const findSession = operation(z.string(), async (token, call): Promise<{ id: number } | undefined> => {
  const [session] = await db
    .select({ id: sessions.id, usedAt: sessions.usedAt })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, hashOfToken(token)), isAlive(call.now)))
  if (session === undefined) return undefined
  if (call.now.getTime() - session.usedAt >= LAST_USED_INTERVAL_MS) await updateLastUsed(session.id, call)
  return { id: session.id }
})

export const listSessions = operationWithoutInput(async ({ now }): Promise<Session[]> => {
  const alive = await db.select().from(sessions).where(isAlive(now)).orderBy(desc(sessions.id))
  return alive.map(({ id, createdAt, usedAt }) => ({
    id,
    createdAt: new Date(createdAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    endsAt: new Date(Math.min(createdAt + SESSION_MAXIMUM_MS, usedAt + IDLE_MAXIMUM_MS)).toISOString(),
  }))
})

const sessionIds = z.union([z.literal('all'), z.array(z.int().check(z.positive()))])

/** Ends some sessions or all of them; returns the ids of those that existed. */
export const endSessions = operation(sessionIds, async (ids, call): Promise<number[]> => {
  const named = ids === 'all' ? undefined : inArray(sessions.id, ids)
  return transaction(async (tx) => {
    const ended = await tx.delete(sessions).where(named).returning({ id: sessions.id })
    if (ended.length > 0) await audit(tx, call, 'sessions ended', ids === 'all' ? 'all' : ids.join(' '))
    return ended.map(({ id }) => id)
  })
})

export const deleteOverSessions = operationWithoutInput(async ({ now }): Promise<void> => {
  await transaction((tx) => tx.delete(sessions).where(not(isAlive(now))), { repeatable: true })
})

/** Does not fail on an outage: with a full or read-only disk an administrator can still read. */
async function updateLastUsed(id: number, { now }: Call): Promise<void> {
  try {
    const used = { usedAt: now.getTime() }
    await transaction((tx) => tx.update(sessions).set(used).where(eq(sessions.id, id)), { repeatable: true })
  } catch (error) {
    if (!isOutage(error)) throw error
  }
}

/** A session from the future was started under a clock that was ahead: it must not last until that moment comes. */
function isAlive(now: Date): SQL {
  const moment = now.getTime()
  const within = (column: typeof sessions.createdAt | typeof sessions.usedAt, maximum: number) =>
    and(gt(column, moment - maximum), lte(column, moment + maximum))
  return and(within(sessions.createdAt, SESSION_MAXIMUM_MS), within(sessions.usedAt, IDLE_MAXIMUM_MS)) as SQL
}

/**
 * Starts a session after the password of this hash was given, and ends the one that the browser had before.
 * @param who tried, as `takeAttempt` found it: a browser keeps its device token only if that identified it.
 * @param browser the tokens that it kept of earlier sign-ins.
 * @throws UserError 'unauthenticated' when the password was changed in that very moment.
 */
async function startSession(
  hash: string,
  who: string,
  browser: { [name in keyof SignedIn]?: string | undefined },
  call: Call,
): Promise<SignedIn> {
  const token = newToken()
  // A device token that the database does not know may have been planted in the browser by an attacker.
  const device = browser.device !== undefined && who === nameOfDevice(browser.device) ? browser.device : newToken()
  const moment = call.now.getTime()
  const started = await transaction(async (tx) => {
    // It may have been changed since it was compared.
    if ((await tx.$count(passwords, eq(passwords.hash, hash))) === 0) return false
    const row = { tokenHash: hashOfToken(token), createdAt: moment, usedAt: moment }
    const [session] = await tx.insert(sessions).values(row).returning({ id: sessions.id })
    await audit(tx, call, 'signed in', `session ${session?.id}`)
    if (browser.token !== undefined) await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(browser.token)))
    await attemptSucceeded(tx, who, device, call)
    return true
  })
  if (!started) throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
  return { token, device }
}
