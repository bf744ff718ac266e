import { and, desc, eq, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audited, auditedIfChanged } from '../audit/entry.ts'
import { db } from '../client.ts'
import { isOutage, UserError } from '../errors.ts'
import { type Call, operation } from '../operation.ts'
import { attemptSucceeded, takeAttempt } from './attempts.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import { newPassword, sessionIds, signInRequest } from './schema.ts'
import { hashOfToken, IDLE_MAXIMUM, newToken, SESSION_MAXIMUM, USE_NOTED_EVERY } from './session.ts'
import { passwords, sessions } from './table.ts'

/** Who is signed in. All moments are ISO 8601 in UTC; `endsAt` is when it ends if it is not used again. */
export type Session = { id: number; createdAt: string; usedAt: string; endsAt: string }

/** Whether a password is set: then only who signed in may administer. */
export const isGuarded = operation(z.unknown(), async () => (await storedHash()) !== undefined)

/** What a browser asks before it shows a door. */
export const getAccess = operation(z.unknown(), async (_input, { open = false, administrator }) => ({
  mode: open ? ('open' as const) : ('guarded' as const),
  signedIn: !open && administrator,
}))

/** Sets the password, or another one, and ends every session. */
export const setPassword = operation(newPassword, async (password, call): Promise<void> => {
  const hash = await hashPassword(password)
  await db.batch([
    db.insert(passwords).values({ hash }).onConflictDoUpdate({ target: passwords.id, set: { hash } }),
    db.delete(sessions),
    audited(call, 'password set'),
  ])
})

/** Sets the password of the settings, if it is not the one that is set already. */
export const applyPassword = operation(newPassword, async (password, call): Promise<void> => {
  const hash = await storedHash()
  if (hash === undefined || !(await isPasswordOf(hash, password))) await setPassword(password, call)
})

/**
 * Starts a session.
 * @returns its token, which nobody can ever read again.
 * @throws UserError 'unauthenticated' when the password is wrong, 'too-many' when there were too many wrong ones before,
 * 'not-found' when none is set.
 */
export const signIn = operation(signInRequest, async ({ password }, call): Promise<{ token: string }> => {
  const hash = await storedHash()
  if (hash === undefined) {
    throw new UserError('not-found', 'Nobody signs in here: no password is set. Set one with `npx rsvp password`.')
  }
  const network = call.network ?? 'unknown'
  await takeAttempt(network, call.now)
  if (!(await isPasswordOf(hash, password))) throw new UserError('unauthenticated', 'The password is wrong. Try again.')
  return { token: await startSession(hash, network, call) }
})

/** Ends the session of this token, if there is one. */
export const signOut = operation(z.optional(z.string()), async (token, call): Promise<void> => {
  if (token === undefined) return
  await db.batch([
    db.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(token))),
    auditedIfChanged(call, 'signed out'),
  ])
})

/** The session of a token that is still good; its use is written down. */
export const findSession = operation(z.string(), async (token, call): Promise<{ id: number } | undefined> => {
  const [session] = await db
    .select({ id: sessions.id, usedAt: sessions.usedAt })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, hashOfToken(token)), isAlive(call.now)))
  if (session === undefined) return undefined
  if (call.now.getTime() - session.usedAt >= USE_NOTED_EVERY) await noteUse(session.id, call)
  return { id: session.id }
})

/** Everybody who is signed in, the latest first. */
export const listSessions = operation(z.unknown(), async (_input, { now }): Promise<Session[]> => {
  const alive = await db.select().from(sessions).where(isAlive(now)).orderBy(desc(sessions.id))
  return alive.map(({ id, createdAt, usedAt }) => ({
    id,
    createdAt: new Date(createdAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    endsAt: new Date(Math.min(createdAt + SESSION_MAXIMUM, usedAt + IDLE_MAXIMUM)).toISOString(),
  }))
})

/** Ends some sessions or all of them; answers the ids of those that were there. */
export const endSessions = operation(sessionIds, async (ids, call): Promise<number[]> => {
  const named = ids === 'all' ? undefined : inArray(sessions.id, ids)
  const [ended] = await db.batch([
    db.delete(sessions).where(named).returning({ id: sessions.id }),
    auditedIfChanged(call, 'sessions ended', ids === 'all' ? 'all' : ids.join(' ')),
  ])
  return ended.map(({ id }) => id)
})

/** Forgets the sessions that are over. */
export const deleteOverSessions = operation(z.unknown(), async (_input, { now }): Promise<void> => {
  const over = or(
    lte(sessions.createdAt, now.getTime() - SESSION_MAXIMUM),
    lte(sessions.usedAt, now.getTime() - IDLE_MAXIMUM),
  )
  await db.batch([db.delete(sessions).where(over)])
})

/** On a disk that is full or read-only an administrator can still look at what there is. */
async function noteUse(id: number, { now }: Call): Promise<void> {
  try {
    await db.batch([db.update(sessions).set({ usedAt: now.getTime() }).where(eq(sessions.id, id))])
  } catch (error) {
    if (!isOutage(error)) throw error
  }
}

function isAlive(now: Date): SQL | undefined {
  return and(gt(sessions.createdAt, now.getTime() - SESSION_MAXIMUM), gt(sessions.usedAt, now.getTime() - IDLE_MAXIMUM))
}

async function startSession(hash: string, network: string, call: Call): Promise<string> {
  const token = newToken()
  const moment = call.now.getTime()
  // Only while the password is still the one that was compared: it may be changed in that very moment.
  const stillSet = sql`EXISTS (SELECT 1 FROM ${passwords} WHERE ${passwords.hash} = ${hash})`
  const [started] = await db.batch([
    db
      .insert(sessions)
      .select(sql`SELECT NULL, ${hashOfToken(token)}, ${moment}, ${moment} WHERE ${stillSet}`)
      .returning({ id: sessions.id }),
    auditedIfChanged(call, 'signed in', sql`(SELECT max(${sessions.id}) FROM ${sessions})`),
    attemptSucceeded(network, call.now),
  ])
  if (started.length === 0) throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
  return token
}

async function storedHash(): Promise<string | undefined> {
  const [stored] = await db.select({ hash: passwords.hash }).from(passwords)
  return stored?.hash
}
