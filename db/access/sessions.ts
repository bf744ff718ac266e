import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants'
import { and, desc, eq, gt, lte, ne, not, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput, type SignedInAdministrator } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, sessions } from '#db/tables/access.ts'
import type { session } from '#db/values/access.ts'
import { isOutage, UserError } from '#db/values/errors.ts'
import type { Role } from '#db/values/roles.ts'
import { hashOfToken } from './tokens.ts'

/** How long a session lasts without being used. */
const IDLE_MAXIMUM_MS = 30 * millisecondsInDay
/** How long a session lasts at most. */
export const SESSION_MAXIMUM_MS = 180 * millisecondsInDay
/** How far the clocks of two instances may differ. */
const CLOCK_DIFFERENCE_MAXIMUM_MS = millisecondsInDay
/** The last use of a session is stored at most this often, so that not every request writes. */
const LAST_USED_INTERVAL_MS = millisecondsInMinute
/** How long a password or passkey, once given, allows acts that cannot be undone. */
export const PROOF_TTL_MS = 10 * millisecondsInMinute

const findSessionInput = z.string()

/** The session of a valid token. Updates when it was last used. */
export async function findSession(
  input: unknown,
  call: Call,
): Promise<{ role: Role; administrator: SignedInAdministrator } | undefined> {
  const token = parseInput(findSessionInput, input)
  const [found] = await db
    .select({
      session: sessions.id,
      usedAt: sessions.usedAt,
      provenAt: sessions.provenAt,
      id: administrators.id,
      name: administrators.name,
      role: administrators.role,
      seesContacts: administrators.seesContacts,
      prayers: administrators.prayers,
    })
    .from(sessions)
    .innerJoin(administrators, eq(administrators.id, sessions.administratorId))
    .where(and(eq(sessions.tokenHash, hashOfToken(token)), isAlive(call.now), isPresent))
  if (found === undefined) return undefined
  const { usedAt, role, ...administrator } = found
  if (call.now.getTime() - usedAt >= LAST_USED_INTERVAL_MS) await updateLastUsed(administrator, call)
  return { role, administrator }
}

/** The sessions of the caller, the most recently used first. */
export async function listOwnSessions(call: Call): Promise<z.output<typeof session>[]> {
  const caller = signedInAdministrator(call)
  const { id, browser, createdAt, usedAt } = sessions
  const alive = await db
    .select({ id, browser, createdAt, usedAt })
    .from(sessions)
    .where(and(isAlive(call.now), eq(sessions.administratorId, caller.id)))
    .orderBy(desc(usedAt), desc(id))
  return alive.map((each) => ({
    ...each,
    createdAt: new Date(each.createdAt).toISOString(),
    usedAt: new Date(each.usedAt).toISOString(),
    isThis: each.id === caller.session,
  }))
}

/** Signs the caller out in all other browsers. */
export async function endOtherSessions(call: Call): Promise<void> {
  const caller = signedInAdministrator(call)
  await transaction(async (tx) => {
    const isOther = and(eq(sessions.administratorId, caller.id), ne(sessions.id, caller.session))
    const ended = await tx.delete(sessions).where(isOther).returning({ id: sessions.id })
    if (ended.length > 0) await audit(tx, call, 'sessions ended', 'all others of their own')
  })
}

export async function deleteOverSessions({ now }: Call): Promise<void> {
  await transaction((tx) => tx.delete(sessions).where(not(isAlive(now))), { repeatable: true })
}

/** @throws UserError 'not-found' for a command, and in open mode, where no one is signed in. */
export function signedInAdministrator({ administrator }: Call): SignedInAdministrator {
  if (administrator === undefined) throw new UserError('not-found', 'No one is signed in here. Guard this site first.')
  return administrator
}

/** @throws UserError 'unauthenticated' if the caller's session is over, e.g. because the person was removed. */
export async function assertSignedIn(tx: Transaction, call: Call): Promise<void> {
  if ((await tx.$count(sessions, eq(sessions.id, signedInAdministrator(call).session))) === 0) throw signedOut()
}

export function signedOut(): UserError {
  return new UserError('signed-out')
}

/** Ignores an outage: an administrator can still read while the disk is full or read-only. */
async function updateLastUsed({ id, session }: SignedInAdministrator, { now }: Call): Promise<void> {
  const moment = now.getTime()
  try {
    await transaction(
      (tx) =>
        tx.batch([
          tx.update(sessions).set({ usedAt: moment }).where(eq(sessions.id, session)),
          tx.update(administrators).set({ seenAt: moment }).where(eq(administrators.id, id)),
        ]),
      { repeatable: true },
    )
  } catch (error) {
    if (!isOutage(error)) throw error
  }
}

/** A session from the future was started while the clock was ahead, and must not last until that moment comes. */
function isAlive(now: Date): SQL {
  const moment = now.getTime()
  const within = (column: typeof sessions.createdAt | typeof sessions.usedAt, maximum: number) =>
    and(gt(column, moment - maximum), lte(column, moment + CLOCK_DIFFERENCE_MAXIMUM_MS))
  return and(within(sessions.createdAt, SESSION_MAXIMUM_MS), within(sessions.usedAt, IDLE_MAXIMUM_MS)) as SQL
}
