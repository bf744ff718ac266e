import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { eq, notBetween } from 'drizzle-orm'
import * as z from 'zod/mini'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/allowance.ts'
import type { Call } from '#db/call.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, challenges, passkeys } from '#db/tables/access.ts'
import { UserError } from '#db/values/errors.ts'
import type { Allowance } from '#db/values/limits.ts'
import { assertUncommon, hashPassword } from './password.ts'
import { hashOfToken } from './tokens.ts'

/** What a passkey is checked against. */
export const ceremony = z.object({
  /** The public address, whose host is the relying party; undefined where passkeys are not offered. */
  origin: z.optional(z.string()),
  /** The token that the challenge is bound to: of the session, or of the browser's cookie. */
  challengeToken: z.optional(z.string()),
})
export type Ceremony = z.output<typeof ceremony>

type Given = { password?: string | undefined; passkey?: { id: string } | undefined; passkeyName?: string | undefined }
export type NewPasskey = Omit<typeof passkeys.$inferInsert, 'administratorId'>

/** A checked password or passkey, ready to be stored. */
export type Credential = { passwordHash: string } | { passkey: NewPasskey }

/** How long a challenge is valid, in ms: the person may have to find a phone first. */
export const CHALLENGE_TTL_MS = 5 * 60 * 1000
/** Each challenge is a row: one network can store at most 660 in five minutes. In a flood, others wait only moments. */
const challengesOfNetwork: Allowance = { atOnce: 60, everyMs: 500 }
const PASSKEYS_MAXIMUM = 20
/** EdDSA, ES256 and RS256 (COSE): every version of Node that runs the site can verify them. */
export const ALGORITHMS = [-8, -7, -257]

/** The parts of a new passkey that the library does not check. The specification allows ids of 1,023 bytes. */
const madePasskey = z.looseObject({
  id: z.string().check(z.maxLength(1364)),
  response: z.looseObject({
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
})

/**
 * Checks a chosen password, or a new passkey.
 * @throws UserError 'invalid' without either, for a password that is too common, and for a passkey that does not fit.
 */
export async function checkCredential(given: Given, ceremony: Ceremony, call: Call): Promise<Credential> {
  if (given.passkey !== undefined) return { passkey: await checkPasskey(given, ceremony, call) }
  if (given.password === undefined) throw new UserError('credential-missing')
  await assertUncommon(given.password)
  return { passwordHash: await hashPassword(given.password) }
}

/** @throws UserError 'invalid' unless it was made on this site for this browser's challenge, after identifying a person. */
export async function checkPasskey(
  { passkey, passkeyName }: Given,
  ceremony: Ceremony,
  call: Call,
): Promise<NewPasskey> {
  const challenge = await takeChallenge(ceremony, call)
  const { data: made } = madePasskey.safeParse(passkey)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const checked =
    challenge &&
    made &&
    // The library throws for everything that does not fit, e.g. another origin.
    (await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} } as unknown as RegistrationResponseJSON,
      ...challenge,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    }).catch(() => undefined))
  if (!checked?.verified) throw new UserError('passkey-unchecked')
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential
  return {
    id,
    name: passkeyName || 'Passkey',
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports.join(','),
    createdAt: call.now.getTime(),
  }
}

/** @throws UserError 'conflict' if the passkey is stored already, or the person has too many. */
export async function storeCredential(tx: Transaction, administratorId: number, credential: Credential): Promise<void> {
  if (!('passkey' in credential)) {
    await tx.update(administrators).set(credential).where(eq(administrators.id, administratorId))
    return
  }
  if ((await tx.$count(passkeys, eq(passkeys.administratorId, administratorId))) >= PASSKEYS_MAXIMUM)
    throw new UserError('passkeys-full', { maximum: PASSKEYS_MAXIMUM })
  const row = { administratorId, ...credential.passkey }
  const stored = await tx.insert(passkeys).values(row).onConflictDoNothing().returning({ id: passkeys.id })
  if (stored.length === 0) throw new UserError('passkey-in-use')
}

/**
 * Stores the challenge of a browser in place of its last one.
 * @throws UserError 'too-many' for a visitor whose network has requested too many.
 */
export async function keepChallenge(challenge: string, { challengeToken = '' }: Ceremony, call: Call): Promise<void> {
  const row = { browserHash: hashOfToken(challengeToken), challenge, endsAt: call.now.getTime() + CHALLENGE_TTL_MS }
  const levels = levelsOfNetwork('sign-in passkey', call.network ?? 'unknown', challengesOfNetwork)
  const empty = await transaction(async (tx) => {
    const exhausted = call.administrator ? undefined : await takeFromEach(tx, levels, call.now)
    if (exhausted !== undefined) return exhausted
    await tx.delete(challenges).where(isExpired(call.now))
    await tx.insert(challenges).values(row).onConflictDoUpdate({ target: challenges.browserHash, set: row })
    return undefined
  })
  if (empty !== undefined) throw tooMany('too-many-challenges', empty.wait)
}

/** Takes the challenge of this browser, once: what a reply to it must contain. Undefined if there is none. */
export async function takeChallenge({ origin, challengeToken }: Ceremony, { now }: Call) {
  if (origin === undefined || challengeToken === undefined) return undefined
  const isOfBrowser = eq(challenges.browserHash, hashOfToken(challengeToken))
  const challenge = await transaction(async (tx) => {
    await tx.delete(challenges).where(isExpired(now))
    const [taken] = await tx.delete(challenges).where(isOfBrowser).returning()
    return taken?.challenge
  })
  if (challenge === undefined) return undefined
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: new URL(origin).hostname }
}

export async function forgetOldChallenges({ now }: Call): Promise<void> {
  await transaction((tx) => tx.delete(challenges).where(isExpired(now)), { repeatable: true })
}

/** A challenge that ends later than a new one was written by a clock that was ahead. */
function isExpired(now: Date) {
  return notBetween(challenges.endsAt, now.getTime() + 1, now.getTime() + CHALLENGE_TTL_MS)
}
