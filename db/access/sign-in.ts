import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, sessions } from '#db/tables/access.ts'
import { noPassword, proofRequest, signInRequest } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { attemptSucceeded, rememberDevice, takeAttempt } from './attempts.ts'
import { type Ceremony, ceremony } from './credential.ts'
import { passkeyRefused, withPasskey } from './passkeys.ts'
import { isPasswordOf, UNKNOWN_HASH } from './password.ts'
import { signedInAdministrator } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { hashOfToken, newToken } from './tokens.ts'

/** The tokens that the browser has from earlier sign-ins, and its name, e.g. `Firefox, Android`. */
export const fromBrowser = {
  token: z.optional(z.string()),
  device: z.optional(z.string()),
  browser: z._default(z.string(), ''),
  ceremony: z._default(ceremony, {}),
}

/** What a browser keeps after a sign-in. Only the hashes of these tokens are stored. */
export type SignedIn = {
  /** Gives access to the administration while the session lasts. */
  token: string
  /** Gives no access; whoever sends it does not have to wait because others tried wrong passwords. */
  device: string
}
export type Browser = { token?: string | undefined; device?: string | undefined; browser: string }

const signInInput = z.extend(signInRequest, fromBrowser)

/**
 * Starts a session, and ends the one that the browser had before.
 * @throws UserError 'unauthenticated' for a wrong password or passkey, 'too-many' after too many wrong passwords,
 * 'overloaded' while too many people sign in.
 */
export async function signIn(input: unknown, call: Call): Promise<SignedIn> {
  const { email, password, passkey, ceremony, token, device, browser } = parseInput(signInInput, input)
  if (!(await isGuarded())) throw new UserError('not-found', 'This site has no administrator yet. Guard it first.')
  const from = { token, device, browser }
  // A passkey does not count as a try, because a signature cannot be guessed.
  if (passkey !== undefined) return withPasskey(passkey, ceremony, call, (tx, id) => openSession(tx, id, from, call))
  return signInWithPassword({ email, password }, from, call)
}

/**
 * The reply is the same, and takes as long, for a wrong password, an unknown email, and a person who was removed, has not
 * accepted the invitation, or has only passkeys.
 */
async function signInWithPassword(
  { email, password }: { email: string | undefined; password: string | undefined },
  browser: Browser,
  call: Call,
): Promise<SignedIn> {
  if (password === undefined) throw new UserError('invalid', noPassword).at('password')
  const person = await findByEmail(email)
  const attempt = await takeAttempt({ account: String(person?.id ?? email), device: browser.device }, call)
  const hash = person?.passwordHash
  const isRight = await isPasswordOf(hash ?? UNKNOWN_HASH, password, attempt.known)
  if (!isRight || !person || !hash) {
    throw new UserError(email === undefined ? 'password-wrong' : 'email-or-password-wrong')
  }
  const { id } = person
  return transaction(async (tx) => {
    // The person may have been removed, or the password changed, since it was compared.
    const isSame = and(eq(administrators.id, id), eq(administrators.passwordHash, hash), isPresent)
    if ((await tx.$count(administrators, isSame)) === 0)
      throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
    await attemptSucceeded(tx, attempt)
    return openSession(tx, id, browser, call)
  })
}

const proveInput = z.extend(proofRequest, { ceremony: fromBrowser.ceremony })

/**
 * Checks the caller's password or passkey once more, for acts that need a recent proof.
 * @throws UserError 'forbidden' with a field `password` when it is wrong, and otherwise as `signIn` does.
 */
export async function prove(input: unknown, call: Call): Promise<void> {
  const { password, passkey, ceremony } = parseInput(proveInput, input)
  return passkey === undefined ? proveByPassword(password, call) : proveByPasskey(passkey, ceremony, call)
}

async function proveByPasskey(passkey: { id: string }, ceremony: Ceremony, call: Call): Promise<void> {
  const caller = signedInAdministrator(call)
  await withPasskey(passkey, ceremony, call, async (tx, id) => {
    if (id !== caller.id) throw passkeyRefused(call)
    await storeProof(tx, caller.session, call)
  })
}

async function proveByPassword(password: string | undefined, call: Call): Promise<void> {
  if (password === undefined) throw new UserError('invalid', noPassword).at('password')
  const { id, session } = signedInAdministrator(call)
  const [stored] = await db
    .select({ hash: administrators.passwordHash })
    .from(administrators)
    .where(eq(administrators.id, id))
  const attempt = await takeAttempt({ session }, call)
  if (!(await isPasswordOf(stored?.hash ?? UNKNOWN_HASH, password)))
    throw new UserError('password-wrong').at('password', 'forbidden')
  // If the password was changed meanwhile, this session has ended, or made the change itself.
  await transaction(async (tx) => {
    await attemptSucceeded(tx, attempt)
    await storeProof(tx, session, call)
  })
}

/** For ten minutes, the session may do what cannot be undone. */
async function storeProof(tx: Transaction, session: number, { now }: Call): Promise<void> {
  await tx.update(sessions).set({ provenAt: now.getTime() }).where(eq(sessions.id, session))
}

/** Whether the sign-in form asks for an email: not if the only administrator has never given one. */
export async function findEmailRule(): Promise<'none' | 'optional' | 'required'> {
  const emails = await db.select({ email: administrators.email }).from(administrators).where(isPresent)
  if (emails.every(({ email }) => email !== null)) return 'required'
  return emails.every(({ email }) => email === null) ? 'none' : 'optional'
}

/** The person with this email, or the person without one. */
async function findByEmail(email: string | undefined) {
  const isNamed = email === undefined ? isNull(administrators.email) : eq(administrators.email, email)
  const [found] = await db
    .select({ id: administrators.id, passwordHash: administrators.passwordHash })
    .from(administrators)
    .where(and(isNamed, isPresent))
  return found
}

/** Starts a session after a successful sign-in, and ends the one that the browser had before. */
export async function openSession(
  tx: Transaction,
  administratorId: number,
  { token: previous, device: sent, browser }: Browser,
  call: Call,
): Promise<SignedIn> {
  const token = newToken()
  const moment = call.now.getTime()
  const moments = { createdAt: moment, usedAt: moment, provenAt: moment }
  const row = { administratorId, browser, tokenHash: hashOfToken(token), ...moments }
  const [session] = await tx.insert(sessions).values(row).returning({ id: sessions.id })
  await tx.update(administrators).set({ seenAt: moment }).where(eq(administrators.id, administratorId))
  await audit(tx, { ...call, administrator: { id: administratorId } }, 'signed in', `session ${session?.id}`)
  if (previous !== undefined) await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(previous)))
  const device = await rememberDevice(tx, { account: String(administratorId), device: sent }, call)
  return { token, device }
}

const signOutInput = z.object({ token: fromBrowser.token })

export async function signOut(input: unknown, call: Call): Promise<void> {
  const { token } = parseInput(signOutInput, input)
  if (token === undefined) return
  await transaction(async (tx) => {
    const isThis = eq(sessions.tokenHash, hashOfToken(token))
    const ended = await tx.delete(sessions).where(isThis).returning({ id: sessions.id })
    if (ended.length > 0) await audit(tx, call, 'signed out')
  })
}
