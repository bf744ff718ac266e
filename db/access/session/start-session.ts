import { eq, sql } from 'drizzle-orm'
import { attemptSucceeded, nameOfDevice } from '#db/access/limits/attempts.ts'
import { passwords, sessions } from '#db/access/table.ts'
import { auditedIfChanged } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
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
  // Only while the password is still the one that was compared: it may have been changed since.
  const stillSet = sql`EXISTS (SELECT 1 FROM ${passwords} WHERE ${passwords.hash} = ${hash})`
  const [started] = await db.batch([
    db
      .insert(sessions)
      .select(sql`SELECT NULL, ${hashOfToken(token)}, ${moment}, ${moment} WHERE ${stillSet}`)
      .returning({ id: sessions.id }),
    auditedIfChanged(call, 'signed in', sql`'session ' || (SELECT max(${sessions.id}) FROM ${sessions})`),
    db.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(browser.token ?? ''))),
    ...attemptSucceeded(who, device, call),
  ])
  if (started.length === 0) throw new UserError('unauthenticated', 'The password was just changed. Try the new one.')
  return { token, device }
}
