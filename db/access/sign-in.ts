import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit, recordAct } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import {
  type Attempt,
  attemptSucceeded,
  giveBackAttempt,
  looksLikeGuessing,
  nameOfDevice,
  takeAttempt,
} from './attempts.ts'
import { isPasswordOf, renewHash, UNKNOWN_HASH } from './password.ts'
import { proofRequest, signInRequest } from './schema.ts'
import { ownAdministrator, startSession } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { administrators, sessions } from './table.ts'
import { hashOfToken, newToken } from './tokens.ts'

/** What a browser kept of earlier sign-ins, and which one it is, e.g. `Firefox, Android`. */
export const fromBrowser = {
  token: z.optional(z.string()),
  device: z.optional(z.string()),
  browser: z._default(z.string(), ''),
}

/** What a browser keeps after a sign-in. The tokens cannot be read again: only their hashes are stored. */
export type SignedIn = {
  /** Gives access to the administration while the session lasts. */
  token: string
  /** Gives no access; a browser that sends it does not wait because of what others try. */
  device: string
}
export type Browser = { token?: string | undefined; device?: string | undefined; browser: string }

/**
 * Starts a session, and ends the one that the browser had before. The reply to an unknown email is that to a wrong
 * password, and takes as long.
 * @throws UserError 'unauthenticated' when it is wrong, 'too-many' when there were too many wrong ones before,
 * 'overloaded' when too many try at this moment.
 */
export const signIn = operation(
  z.extend(signInRequest, fromBrowser),
  async ({ email, password = '', token, device, browser }, call): Promise<SignedIn> => {
    if (!(await isGuarded(call)))
      throw new UserError('not-found', 'This site has no administrator yet. Guard it first.')
    const who = await findByEmail(email)
    const attempt = await takeAttempt(device, email, call)
    const hash = who?.passwordHash
    const isRight = await compare(hash ?? UNKNOWN_HASH, password, attempt, call)
    if (isRight && who && hash) {
      const renewed = { id: who.id, hash: await renewHash(hash, password) }
      return signInAs(renewed, attempt.who, { token, device, browser }, call)
    }
    await recordGuessing(attempt, call)
    const wrong = 'The password is wrong. Try again.'
    throw new UserError(
      'unauthenticated',
      email === undefined ? wrong : 'The email or the password is wrong. Try again.',
    )
  },
)

/** Gives the password once more. @throws as `signIn` does. */
export const prove = operation(
  z.extend(proofRequest, fromBrowser),
  async ({ password = '', device }, call): Promise<void> => {
    const own = ownAdministrator(call)
    const [stored] = await db
      .select({ hash: administrators.passwordHash })
      .from(administrators)
      .where(eq(administrators.id, own.id))
    const attempt = await takeAttempt(device, String(own.id), call)
    if (!stored?.hash || !(await compare(stored.hash, password, attempt, call))) {
      await recordGuessing(attempt, call)
      throw new UserError('unauthenticated', 'The password is wrong. Try again.')
    }
    await giveBackAttempt(attempt, call)
    await transaction((tx) =>
      tx.update(sessions).set({ provenAt: call.now.getTime() }).where(eq(sessions.id, own.session)),
    )
  },
)

/** The person with this email; without one, the one who has never given any. */
async function findByEmail(email: string | undefined) {
  const isNamed = email === undefined ? isNull(administrators.email) : eq(administrators.email, email)
  const [found] = await db
    .select({ id: administrators.id, passwordHash: administrators.passwordHash })
    .from(administrators)
    .where(and(isNamed, isNull(administrators.removedAt)))
  return found
}

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

async function recordGuessing({ failures }: Attempt, call: Call): Promise<void> {
  if (looksLikeGuessing(failures)) await recordAct({ action: 'wrong passwords', subject: `${failures} in a row` }, call)
}

/**
 * @param who tried, as `takeAttempt` found it: a browser keeps its device token only if that identified it.
 * @throws UserError 'unauthenticated' when the password was changed, or the person removed, in that very moment.
 */
async function signInAs(
  person: { id: number; hash: string },
  who: string,
  browser: Browser,
  call: Call,
): Promise<SignedIn> {
  const signedIn = await transaction(async (tx) => {
    // Both may have changed since the password was compared.
    const isSame = and(
      eq(administrators.id, person.id),
      eq(administrators.passwordHash, person.hash),
      isNull(administrators.removedAt),
    )
    if ((await tx.$count(administrators, isSame)) === 0) return undefined
    return openSession(tx, person.id, browser, call, who)
  })
  if (signedIn === undefined) throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
  return signedIn
}

/** Starts a session of a person who has just shown who they are, in this transaction. */
export async function openSession(
  tx: Transaction,
  administratorId: number,
  { token: previous, device: sent, browser }: Browser,
  call: Call,
  who?: string,
): Promise<SignedIn> {
  // A device token that the database does not know may have been planted in the browser by an attacker.
  const device = sent !== undefined && who === nameOfDevice(sent) ? sent : newToken()
  const token = await startSession(tx, { administratorId, browser, previous }, call)
  if (who !== undefined) await attemptSucceeded(tx, who, device, call)
  return { token, device }
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
