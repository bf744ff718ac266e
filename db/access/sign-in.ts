import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, sessions } from '#db/tables/access.ts'
import { noPassword, proofRequest, signInRequest } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { isPresent } from './administrators.ts'
import { attemptSucceeded, rememberDevice, takeAttempt } from './attempts.ts'
import { type Ceremony, ceremony } from './credential.ts'
import { passkeyRefused, withPasskey } from './passkeys.ts'
import { isPasswordOf, UNKNOWN_HASH } from './password.ts'
import { ownAdministrator } from './sessions.ts'
import { isGuarded } from './setup.ts'
import { hashOfToken, newToken } from './tokens.ts'

/** What a browser kept of earlier sign-ins, and which one it is, e.g. `Firefox, Android`. */
export const fromBrowser = {
  token: z.optional(z.string()),
  device: z.optional(z.string()),
  browser: z._default(z.string(), ''),
  ceremony: z._default(ceremony, {}),
}

/** What a browser keeps after a sign-in. The tokens cannot be read again: only their hashes are stored. */
export type SignedIn = {
  /** Gives access to the administration while the session lasts. */
  token: string
  /** Gives no access; a browser that sends it does not wait because of what others try. */
  device: string
}
export type Browser = { token?: string | undefined; device?: string | undefined; browser: string }

const signInInput = z.extend(signInRequest, fromBrowser)

/**
 * Starts a session, and ends the one that the browser had before.
 * @throws UserError 'unauthenticated' when it is wrong, 'too-many' when there were too many wrong ones before,
 * 'overloaded' when too many try at this moment.
 */
export async function signIn(input: unknown, call: Call): Promise<SignedIn> {
  const { email, password, passkey, ceremony, token, device, browser } = parseInput(signInInput, input)
  if (!(await isGuarded())) throw new UserError('not-found', 'This site has no administrator yet. Guard it first.')
  const from = { token, device, browser }
  // A signature cannot be guessed: it counts as no try, so no one has to wait for it.
  if (passkey !== undefined) return withPasskey(passkey, ceremony, call, (tx, id) => openSession(tx, id, from, call))
  return signInWithPassword({ email, password }, from, call)
}

/**
 * The reply is the same, and takes as long, for an unknown email, one that was removed or has only been invited, a
 * person with passkeys only, and a wrong password.
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
    // The person may have been removed, and the password changed, since it was compared.
    const isSame = and(eq(administrators.id, id), eq(administrators.passwordHash, hash), isPresent)
    if ((await tx.$count(administrators, isSame)) === 0)
      throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
    await attemptSucceeded(tx, attempt)
    return openSession(tx, id, browser, call)
  })
}

const proveInput = z.extend(proofRequest, fromBrowser)

/**
 * Gives the password once more, for what needs a recent proof.
 * @throws UserError 'forbidden' with a field `password` when it is wrong, and otherwise as `signIn` does.
 */
export async function prove(input: unknown, call: Call): Promise<void> {
  const { password, passkey, ceremony } = parseInput(proveInput, input)
  return passkey === undefined ? proveByPassword(password, call) : proveByPasskey(passkey, ceremony, call)
}

async function proveByPasskey(passkey: { id: string }, ceremony: Ceremony, call: Call): Promise<void> {
  const own = ownAdministrator(call)
  await withPasskey(passkey, ceremony, call, async (tx, id) => {
    if (id !== own.id) throw passkeyRefused(call)
    await storeProof(tx, own.session, call)
  })
}

async function proveByPassword(password: string | undefined, call: Call): Promise<void> {
  if (password === undefined) throw new UserError('invalid', noPassword).at('password')
  const { id, session } = ownAdministrator(call)
  const [stored] = await db
    .select({ hash: administrators.passwordHash })
    .from(administrators)
    .where(eq(administrators.id, id))
  const attempt = await takeAttempt({ session }, call)
  if (!(await isPasswordOf(stored?.hash ?? UNKNOWN_HASH, password)))
    throw new UserError('password-wrong').at('password', 'forbidden')
  // A password that was changed meanwhile has ended the session, or it was changed in this one.
  await transaction(async (tx) => {
    await attemptSucceeded(tx, attempt)
    await storeProof(tx, session, call)
  })
}

/** From now on the session may do for ten minutes what cannot be undone. */
async function storeProof(tx: Transaction, session: number, { now }: Call): Promise<void> {
  await tx.update(sessions).set({ provenAt: now.getTime() }).where(eq(sessions.id, session))
}

/** What the sign-in form asks for besides the password: no email while the only administrator has never given one. */
export async function findEmailRule(): Promise<'none' | 'optional' | 'required'> {
  const emails = await db.select({ email: administrators.email }).from(administrators).where(isPresent)
  if (emails.every(({ email }) => email !== null)) return 'required'
  return emails.every(({ email }) => email === null) ? 'none' : 'optional'
}

/** The person with this email; without one, the one who has never given any. */
async function findByEmail(email: string | undefined) {
  const isNamed = email === undefined ? isNull(administrators.email) : eq(administrators.email, email)
  const [found] = await db
    .select({ id: administrators.id, passwordHash: administrators.passwordHash })
    .from(administrators)
    .where(and(isNamed, isPresent))
  return found
}

/** Starts a session of a person who has just shown who they are, and ends the one that the browser had before. */
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

const signOutInput = z.object({ token: z.optional(z.string()) })

export async function signOut(input: unknown, call: Call): Promise<void> {
  const { token } = parseInput(signOutInput, input)
  if (token === undefined) return
  await transaction(async (tx) => {
    const isOwn = eq(sessions.tokenHash, hashOfToken(token))
    const ended = await tx.delete(sessions).where(isOwn).returning({ id: sessions.id })
    if (ended.length > 0) await audit(tx, call, 'signed out')
  })
}
