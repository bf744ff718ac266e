import { randomBytes } from 'node:crypto'
import { millisecondsInHour } from 'date-fns/constants'
import { like } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import type { Allowance } from '#db/config/config.ts'
import { fieldError, UserError } from '#db/errors.ts'
import { type Call, isOpenMode, operation, operationWithoutInput } from '#db/operation.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { isPresent, storeAdministrator } from './administrators.ts'
import { levelsOfNetwork, takeFromEach, tooMany } from './allowance.ts'
import { checkCredential, storeCredential } from './credential.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import { firstOwner } from './schema.ts'
import { fromBrowser, openSession, type SignedIn } from './sign-in.ts'
import { administrators, allowances, setupCodes } from './table.ts'

/** Digits and letters that no one mistakes for each other on a screen: 32, so that 8 of them are 40 bits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
/**
 * Wrong codes of one network: a thousand networks guess half of all codes in 5,000 years. A limit on all of them together
 * would keep out whoever has the code.
 */
const guesses: Allowance = { atOnce: 10, everyMs: millisecondsInHour / 12 }

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

/**
 * A try is counted before the code is compared, so that twenty at once count as twenty. The right code ends all waits.
 * @returns the hash of the code.
 */
async function assertCode(code: string, { network = 'unknown', now }: Call): Promise<string> {
  if (code === '')
    throw fieldError('code', 'Type the code. It was printed when this site started; restart it for a new one.')
  const { wait, hash } = await transaction(async (tx) => {
    await assertUnguarded(tx)
    const empty = await takeFromEach(tx, levelsOfNetwork('code', network, guesses), now)
    return { wait: empty?.wait, hash: await readCode(tx) }
  })
  if (wait !== undefined) throw tooMany(wait, (time) => `Too many wrong codes. Wait ${time}, then try again.`)
  const typed = code.toUpperCase().replace(/[^\dA-Z]/g, '')
  if (hash === undefined || !(await isPasswordOf(hash, typed, false))) throw wrongCode()
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

function wrongCode(): UserError {
  const message = 'This code is wrong. It was printed when this site started; restart it for a new one.'
  return fieldError('code', message, 'forbidden')
}

function alreadyGuarded(): UserError {
  return new UserError('conflict', 'This site is guarded already. Sign in at /admin, or ask an owner to invite you.')
}
