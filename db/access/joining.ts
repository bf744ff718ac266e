import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, isOpenMode, parseInput } from '#db/call.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, passkeys, sessions } from '#db/tables/access.ts'
import { acceptedInvitation, firstOwner } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import type { Role } from '#db/values/roles.ts'
import { isInvited, storeAdministrator } from './administrators.ts'
import { checkCredential, storeCredential } from './credential.ts'
import { fromBrowser, openSession, type SignedIn } from './sign-in.ts'

/** The invited person. `isReturning`: they had signed in before, and have asked for a new link. */
export type Invitation = { name: string; email: string | null; role: Role; isReturning: boolean }

/** The invitation with this key; undefined if the key is wrong, used or expired. */
export async function findInvitation(input: unknown, call: Call): Promise<Invitation | undefined> {
  const key = parseInput(z.string(), input)
  const [found] = await db.select().from(administrators).where(isInvited(key, call))
  if (found === undefined) return undefined
  const { id, name, email, role, passwordHash } = found
  const isReturning = passwordHash !== null || (await db.$count(passkeys, eq(passkeys.administratorId, id))) > 0
  return { name, email, role, isReturning }
}

const acceptInvitationInput = z.extend(acceptedInvitation, fromBrowser)

/**
 * Accepts an invitation, once, and signs in. Removes the person's earlier password and passkeys, which may be in the wrong
 * hands.
 * @throws UserError 'gone' if the key is wrong, used or expired, and as `checkCredential` does.
 */
export async function acceptInvitation(input: unknown, call: Call): Promise<SignedIn> {
  const { key, ceremony, token, device, browser, ...given } = parseInput(acceptInvitationInput, input)
  // 256 bits cannot be guessed, so wrong keys are not counted.
  if ((await findInvitation(key, call)) === undefined) throw new UserError('invitation-over')
  const credential = await checkCredential(given, ceremony, call)
  return transaction(async (tx) => {
    // Checks the key again: the link may be open twice, or the person may have been removed meanwhile.
    const [joined] = await tx
      .update(administrators)
      .set({ invitationHash: null, invitationEndsAt: null, passwordHash: null })
      .where(isInvited(key, call))
      .returning({ id: administrators.id })
    if (joined === undefined) throw new UserError('invitation-over')
    await tx.delete(passkeys).where(eq(passkeys.administratorId, joined.id))
    await tx.delete(sessions).where(eq(sessions.administratorId, joined.id))
    await storeCredential(tx, joined.id, credential)
    await audit(tx, { ...call, administrator: joined }, 'administrator joined', `administrator ${joined.id}`)
    return openSession(tx, joined.id, { token, device, browser }, call)
  })
}

const command = `\`${rsvpCommand} password\``
/** Shown on other computers. */
export const NOT_HERE = `Guard this site on the computer that it runs on, or with ${command} there.`

const guardSiteInput = z.extend(firstOwner, {
  ...fromBrowser,
  /** Whether the request comes from the computer on which the site runs. */
  isHere: z.boolean(),
})

/**
 * Guards an open site: stores its first owner, and signs them in.
 * @throws UserError 'conflict' once the site is guarded, 'forbidden' from another computer, and as `checkCredential` does.
 */
export async function guardSite(input: unknown, call: Call) {
  const { name, email, isHere, ceremony, token, device, browser, ...given } = parseInput(guardSiteInput, input)
  if (!isOpenMode(call)) throw new UserError('already-guarded')
  if (!isHere) throw new UserError('forbidden', NOT_HERE)
  const credential = await checkCredential(given, ceremony, call)
  return transaction(async (tx): Promise<SignedIn> => {
    // Someone else may have guarded it while the password was hashed.
    if ((await tx.$count(administrators, isPresent)) > 0) throw new UserError('already-guarded')
    const id = await storeAdministrator(tx, { name, email, role: 'owner' }, call)
    await storeCredential(tx, id, credential)
    await audit(tx, { ...call, administrator: { id } }, 'site guarded', `administrator ${id}`)
    return openSession(tx, id, { token, device, browser }, call)
  })
}
