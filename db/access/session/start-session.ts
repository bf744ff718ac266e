import { eq } from 'drizzle-orm'
import { attemptSucceeded, nameOfDevice } from '#db/access/attempts.ts'
import { passwords, sessions } from '#db/access/table.ts'
import { audit } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { transaction } from '#db/storage/client.ts'
import { hashOfToken, newToken } from './session.ts'

/** What a browser keeps after a sign-in. The tokens cannot be read again: only their hashes are stored. */
export type SignedIn = {
  /** Gives access to the administration while the session lasts. */
  token: string
  /** Gives no access; a browser that sends it does not wait because of what others try. */
  device: string
}

/**
 * Starts a session after the password of this hash was given, and ends the one that the browser had before.
 * @param who tried, as `takeAttempt` found it: a browser keeps its device token only if that identified it.
 * @param browser the tokens that it kept of earlier sign-ins.
 * @throws UserError 'unauthenticated' when the password was changed in that very moment.
 */
export async function startSession(
  hash: string,
  who: string,
  browser: { [name in keyof SignedIn]?: string | undefined },
  call: Call,
): Promise<SignedIn> {
  const token = newToken()
  // A device token that the database does not know may have been planted in the browser by an attacker.
  const device = browser.device !== undefined && who === nameOfDevice(browser.device) ? browser.device : newToken()
  const moment = call.now.getTime()
  const started = await transaction(async (tx) => {
    // It may have been changed since it was compared.
    if ((await tx.$count(passwords, eq(passwords.hash, hash))) === 0) return false
    const row = { tokenHash: hashOfToken(token), createdAt: moment, usedAt: moment }
    const [session] = await tx.insert(sessions).values(row).returning({ id: sessions.id })
    await audit(tx, call, 'signed in', `session ${session?.id}`)
    await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(browser.token ?? '')))
    await attemptSucceeded(tx, who, device, call)
    return true
  })
  if (!started) throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
  return { token, device }
}
