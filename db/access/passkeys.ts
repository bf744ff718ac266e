import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, passkeys } from '#db/tables/access.ts'
import { newPasskey, type passkey } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { isInvited } from './administrators.ts'
import {
  ALGORITHMS,
  type Ceremony,
  CHALLENGE_TTL_MS,
  ceremony,
  checkPasskey,
  keepChallenge,
  type NewPasskey,
  storeCredential,
  takeChallenge,
} from './credential.ts'
import { assertSignedIn, signedInAdministrator } from './sessions.ts'

type Options = Record<string, unknown>
type ShownPasskey = z.output<typeof passkey>

/** A passkey replaces the password and a second factor, so the authenticator must identify the person. */
const userVerification = 'required'

const label = z.optional(z.string().check(z.maxLength(254)))

const getRegistrationOptionsInput = z.object({ key: label, name: label, email: label, ceremony })

/**
 * What a browser needs to make a passkey: for the caller, for the person invited with this key, or for the first owner of
 * an open site. The browser keeps it under the person's name, so that a sign-in needs no email.
 * @throws UserError 'unauthenticated' for anyone else, 'not-found' where passkeys are not offered, 'too-many' as
 * `keepChallenge` does.
 */
export async function getRegistrationOptions(input: unknown, call: Call): Promise<Options> {
  const { key, name, email, ceremony } = parseInput(getRegistrationOptionsInput, input)
  const rpID = relyingParty(ceremony)
  const person = isOpenMode(call) ? { name: name ?? '', email: email ?? null } : await findPerson(key, call)
  const id = 'id' in person ? person.id : undefined
  // Accepting an invitation removes the earlier passkeys, so none are excluded.
  const known = key === undefined && id !== undefined ? await listPasskeys(id) : []
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: person.email || person.name || rpID,
    userDisplayName: person.name,
    // Always the same, so that an authenticator replaces a passkey that was removed here. By default it is random.
    ...(id !== undefined && { userID: new TextEncoder().encode(`administrator ${id}`) }),
    timeout: CHALLENGE_TTL_MS,
    excludeCredentials: known.map(({ id, transports }) => ({
      id,
      transports: transports.split(',').filter(Boolean),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  await keepChallenge(options.challenge, ceremony, call)
  return { ...options }
}

const getAuthenticationOptionsInput = z.object({ ceremony })

/**
 * What a browser needs to sign in or to give a proof. It names no passkey, which would reveal who has one.
 * @throws as `getRegistrationOptions` does.
 */
export async function getAuthenticationOptions(input: unknown, call: Call): Promise<Options> {
  const { ceremony } = parseInput(getAuthenticationOptionsInput, input)
  const rpID = relyingParty(ceremony)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({ rpID, userVerification, timeout: CHALLENGE_TTL_MS })
  await keepChallenge(options.challenge, ceremony, call)
  return { ...options }
}

/**
 * Checks what `navigator.credentials.get` returned for a passkey, and runs `then` in the same transaction.
 * @throws UserError 'unauthenticated' when it does not fit, or has counted fewer uses than before, as a copy would;
 * 'forbidden' for a signed-in caller.
 */
export async function withPasskey<Result>(
  given: { id: string },
  ceremony: Ceremony,
  call: Call,
  then: (tx: Transaction, administratorId: number) => Promise<Result>,
): Promise<Result> {
  const challenge = await takeChallenge(ceremony, call)
  const found = await findPasskey(db, given.id)
  if (!challenge || !found) throw passkeyRefused(call)
  const { id, counter } = found
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  // The library throws for everything that does not fit.
  const checked = await verifyAuthenticationResponse({
    response: { ...given, clientExtensionResults: {} } as AuthenticationResponseJSON,
    ...challenge,
    credential: { id, publicKey: Buffer.from(found.publicKey, 'base64url'), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) throw passkeyRefused(call)
  const { newCounter } = checked.authenticationInfo
  return transaction(async (tx) => {
    // The passkey may have been removed or used since it was read.
    const stored = await findPasskey(tx, id)
    if (stored?.publicKey !== found.publicKey || stored.counter !== counter) throw passkeyRefused(call)
    await tx.update(passkeys).set({ counter: newCounter, usedAt: call.now.getTime() }).where(eq(passkeys.id, id))
    return then(tx, stored.administratorId)
  })
}

/** 'forbidden' for a signed-in caller, because 401 would mean that the session is over. */
export function passkeyRefused({ administrator }: Call): UserError {
  const refused = new UserError('passkey-refused')
  return administrator === undefined ? refused : refused.at('passkey', 'forbidden')
}

/** Whether any passkey is stored; otherwise the sign-in form offers none. */
export async function hasPasskeys() {
  return (await db.select().from(passkeys).limit(1)).length > 0
}

const addPasskeyInput = z.extend(newPasskey, { ceremony })

/** Adds a passkey to the caller's account. @throws as `checkPasskey` and `storeCredential` do. */
export async function addPasskey(input: unknown, call: Call): Promise<ShownPasskey> {
  const { name: passkeyName, passkey: made, ceremony } = parseInput(addPasskeyInput, input)
  const caller = signedInAdministrator(call)
  const passkey = await checkPasskey({ passkey: made, passkeyName }, ceremony, call)
  await transaction(async (tx) => {
    await assertSignedIn(tx, call)
    await storeCredential(tx, caller.id, { passkey })
    await audit(tx, call, 'passkey added', subjectOf(passkey.id))
  })
  return shownPasskey(passkey)
}

const removePasskeyInput = z.object({ id: z.string() })

/**
 * Removes a passkey of the caller.
 * @throws UserError 'not-found' when the caller has no such passkey, 'conflict' when it is the only way to sign in.
 */
export async function removePasskey(input: unknown, call: Call): Promise<void> {
  const { id } = parseInput(removePasskeyInput, input)
  const caller = signedInAdministrator(call)
  await transaction(async (tx) => {
    const [person] = await tx
      .select({ passwordHash: administrators.passwordHash })
      .from(administrators)
      .where(eq(administrators.id, caller.id))
    const all = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.administratorId, caller.id))
    if (!all.some((each) => each.id === id)) throw new UserError('no-such-passkey')
    if (all.length === 1 && !person?.passwordHash) throw new UserError('last-credential')
    await tx.delete(passkeys).where(eq(passkeys.id, id))
    await audit(tx, call, 'passkey removed', subjectOf(id))
  })
}

/** The host of the public address. */
function relyingParty({ origin }: Ceremony): string {
  if (origin === undefined) throw new UserError('not-found', 'Passkeys are not offered here. Use a password.')
  return new URL(origin).hostname
}

/** @throws UserError 'unauthenticated' for a visitor without a valid invitation. */
async function findPerson(key: string | undefined, call: Call) {
  const { id, name, email } = administrators
  const isPerson = key === undefined ? and(eq(id, call.administrator?.id ?? 0), isPresent) : isInvited(key, call)
  const [found] = await db.select({ id, name, email }).from(administrators).where(isPerson)
  if (found === undefined)
    throw new UserError('unauthenticated', 'Sign in, or open the whole invitation link once more.')
  return found
}

/** The passkeys of a person, oldest first. */
export function listPasskeys(administratorId: number) {
  return db.select().from(passkeys).where(eq(passkeys.administratorId, administratorId)).orderBy(passkeys.createdAt)
}

/** A passkey as its owner sees it. */
export function shownPasskey({ id, name, createdAt, usedAt }: NewPasskey): ShownPasskey {
  const moment = (at: number) => new Date(at).toISOString()
  return { id, name, createdAt: moment(createdAt), usedAt: usedAt == null ? null : moment(usedAt) }
}

/** Undefined also if its owner was removed. */
async function findPasskey(reader: Pick<Transaction, 'select'>, id: string) {
  const { publicKey, counter, administratorId } = passkeys
  const [found] = await reader
    .select({ id: passkeys.id, publicKey, counter, administratorId })
    .from(passkeys)
    .innerJoin(administrators, eq(administrators.id, administratorId))
    .where(and(eq(passkeys.id, id), isPresent))
  return found
}

/** For the audit: enough of the id to tell the passkeys of a person apart. */
function subjectOf(id: string): string {
  return `passkey ${id.slice(0, 8)}`
}
