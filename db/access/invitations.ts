import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import type { Role } from '#db/roles.ts'
import { db, transaction } from '#db/storage/client.ts'
import { isInvited } from './administrators.ts'
import { checkCredential, storeCredential } from './credential.ts'
import { acceptedInvitation } from './schema.ts'
import { fromBrowser, openSession, type SignedIn } from './sign-in.ts'
import { administrators, passkeys, sessions } from './table.ts'

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
 * @throws UserError 'gone' for a key that is wrong, used or over, and as `checkCredential` does.
 */
export const acceptInvitation = operation(
  z.extend(acceptedInvitation, fromBrowser),
  async ({ key, ceremony, token, device, browser, ...given }, call): Promise<SignedIn> => {
    // 256 bits cannot be guessed, so wrong keys are not counted.
    if ((await findInvitation(key, call)) === undefined) throw invitationOver()
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

/** What a person reads whose invitation does not work. */
export function invitationOver(): UserError {
  return new UserError('invitation-over')
}
