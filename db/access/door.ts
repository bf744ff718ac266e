import { randomBytes } from 'node:crypto'
import { millisecondsInHour } from 'date-fns/constants'
import { eq, like } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { rsvpCommand } from '#db/config/places.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { fieldError, UserError } from '#db/errors.ts'
import { type Call, isOpenMode, operation, operationWithoutInput } from '#db/operation.ts'
import type { Role } from '#db/roles.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { isInvited, isPresent, storeAdministrator } from './administrators.ts'
import { levelsOfNetwork, takeFromEach, takeUnlessOutage, tooMany } from './allowance.ts'
import { checkCredential, storeCredential } from './credential.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import { acceptedInvitation, firstOwner } from './schema.ts'
import { fromBrowser, openSession, type SignedIn } from './sign-in.ts'
import { administrators, allowances, passkeys, sessions, setupCodes } from './table.ts'

/** Digits and letters that no one mistakes for each other on a screen: 32, so that 8 of them are 40 bits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
const newCode = `\`${rsvpCommand} code\``
/**
 * Wrong codes of one network: a thousand networks guess half of all codes in 5,000 years. A limit on all of them together
 * would keep out whoever has the code.
 */
const guesses: Allowance = { atOnce: 10, everyMs: millisecondsInHour / 12 }
/** Wrong invitation keys of one network. 256 bits cannot be guessed; the limit spares the site the work. */
const wrongKeys: Allowance = { atOnce: 20, everyMs: 60_000 }

/**
 * Makes the code with which an open site can be guarded from another computer, e.g. `7KQM-X2PA`. The earlier one ends,
 * and so does every wait after wrong ones.
 * @throws UserError 'conflict' once the site is guarded.
 */
export const makeCode = operationWithoutInput(async (call): Promise<string> => {
  const code = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  // As slow as a password: whoever reaches an open site can download its database, and try all codes.
  const made = { hash: await hashPassword(code), createdAt: call.now.getTime() }
  await transaction(async (tx) => {
    await assertUnguarded(tx)
    await tx.insert(setupCodes).values(made).onConflictDoUpdate({ target: setupCodes.id, set: made })
    await forgetGuesses(tx)
    await audit(tx, call, 'code made')
  })
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`
})

/**
 * Guards an open site: stores its first owner, and signs them in.
 * @throws UserError 'conflict' once the site is guarded, 'forbidden' with a field `code` for a wrong code from another
 * computer, 'too-many' after too many of them, and as `checkCredential` does.
 */
export const guardSite = operation(
  z.extend(firstOwner, {
    ...fromBrowser,
    /** Whether the caller sits at the computer on which the site runs. */
    isHere: z.boolean(),
  }),
  async ({ name, email, code = '', isHere, ceremony, token, device, browser, ...given }, call) => {
    if (!isOpenMode(call)) throw alreadyGuarded()
    const hash = isHere ? undefined : await assertCode(code, call)
    const credential = await checkCredential(given, ceremony, call)
    return transaction(async (tx): Promise<SignedIn> => {
      // While the password was hashed, someone else may have guarded it, or made another code.
      await assertUnguarded(tx)
      if (hash !== undefined && (await readCode(tx)) !== hash) throw wrongCode()
      const id = await storeAdministrator(tx, { name, email, role: 'owner' }, call)
      await storeCredential(tx, id, credential)
      await tx.delete(setupCodes)
      await audit(tx, { ...call, administrator: { id } }, 'site guarded', `administrator ${id}`)
      return openSession(tx, id, { token, device, browser }, call)
    })
  },
)

/** Whom an invitation is for. `isReturning`: they had signed in before, and have asked for a new link. */
export type Invitation = { name: string; email: string | null; role: Role; isReturning: boolean }

/** The invitation of a key; undefined for one that is wrong, used or over. */
export const findInvitation = operation(z.string(), async (key, call): Promise<Invitation | undefined> => {
  const [found] = await db.select().from(administrators).where(isInvited(key, call))
  if (found === undefined) return undefined
  const { id, name, email, role, passwordHash } = found
  const isReturning = passwordHash !== null || (await db.$count(passkeys, eq(passkeys.administratorId, id))) > 0
  return { name, email, role, isReturning }
})

/**
 * Accepts an invitation, once, and signs in. Earlier ways to sign in end: they may be in the wrong hands.
 * @throws UserError 'gone' for a key that is wrong, used or over, 'too-many' after too many of them, and as
 * `checkCredential` does.
 */
export const acceptInvitation = operation(
  z.extend(acceptedInvitation, fromBrowser),
  async ({ key, ceremony, token, device, browser, ...given }, call): Promise<SignedIn> => {
    if ((await findInvitation(key, call)) === undefined) {
      await refuseTooManyKeys(call)
      throw invitationOver()
    }
    const credential = await checkCredential(given, ceremony, call)
    return transaction(async (tx) => {
      // The key counts only now: the same link may be open twice, or the person may have been removed meanwhile.
      const [joined] = await tx
        .update(administrators)
        .set({ invitationHash: null, invitationEndsAt: null, passwordHash: null })
        .where(isInvited(key, call))
        .returning({ id: administrators.id })
      if (joined === undefined) throw invitationOver()
      await tx.delete(passkeys).where(eq(passkeys.administratorId, joined.id))
      await tx.delete(sessions).where(eq(sessions.administratorId, joined.id))
      await storeCredential(tx, joined.id, credential)
      await audit(tx, { ...call, administrator: joined }, 'administrator joined', `administrator ${joined.id}`)
      return openSession(tx, joined.id, { token, device, browser }, call)
    })
  },
)

/** What the sign-in form asks for besides the password: no email while the only administrator has never given one. */
export const findEmailRule = operationWithoutInput(async (): Promise<'none' | 'optional' | 'required'> => {
  const emails = await db.select({ email: administrators.email }).from(administrators).where(isPresent)
  if (emails.every(({ email }) => email !== null)) return 'required'
  return emails.every(({ email }) => email === null) ? 'none' : 'optional'
})

/** What a person reads whose invitation does not work. */
export function invitationOver(): UserError {
  return new UserError(
    'gone',
    'This invitation has been used, is over, or was replaced by a newer one. Ask an owner of this site for a new link.',
  )
}

/**
 * A try is counted before the code is compared, so that twenty at once count as twenty. The right code ends all waits.
 * @returns the hash of the code.
 */
async function assertCode(code: string, { network = 'unknown', now }: Call): Promise<string> {
  if (code === '')
    throw fieldError(
      'code',
      `Type the code. It was printed when this site started; run ${newCode} on its server for a new one.`,
    )
  const { wait, hash } = await transaction(async (tx) => {
    await assertUnguarded(tx)
    const empty = await takeFromEach(tx, levelsOfNetwork('code', network, guesses), now)
    return { wait: empty?.wait, hash: await readCode(tx) }
  })
  if (wait !== undefined) throw tooMany(wait, (time) => `Too many wrong codes. Wait ${time}, then try again.`)
  const typed = code.toUpperCase().replace(/[^\dA-Z]/g, '')
  if (hash === undefined || !(await isPasswordOf(hash, typed, { line: network, rank: 0 }))) throw wrongCode()
  await transaction(forgetGuesses)
  return hash
}

async function readCode(tx: Transaction): Promise<string | undefined> {
  const [stored] = await tx.select({ hash: setupCodes.hash }).from(setupCodes)
  return stored?.hash
}

async function assertUnguarded(tx: Transaction): Promise<void> {
  if ((await tx.$count(administrators, isPresent)) > 0) throw alreadyGuarded()
}

async function forgetGuesses(tx: Transaction): Promise<void> {
  await tx.delete(allowances).where(like(allowances.name, 'code %'))
}

async function refuseTooManyKeys({ network = 'unknown', now }: Call): Promise<void> {
  const empty = await takeUnlessOutage(levelsOfNetwork('invitation', network, wrongKeys), now)
  if (empty !== undefined)
    throw tooMany(empty.wait, (time) => `Too many links that do not work. Wait ${time}, then try again.`)
}

function wrongCode(): UserError {
  const message = `This code is wrong. It was printed when this site started; run ${newCode} on its server for a new one.`
  return new UserError('forbidden', message, [{ path: 'code', message }])
}

function alreadyGuarded(): UserError {
  return new UserError('conflict', 'This site is guarded already. Sign in at /admin, or ask an owner to invite you.')
}
