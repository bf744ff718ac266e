import { and, eq, ne } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, isPresent, sessions } from '#db/tables/access.ts'
import { type Account, accountChange } from '#db/values/access.ts'
import { UserError } from '#db/values/errors.ts'
import { storeChange } from './administrators.ts'
import { listPasskeys, shownPasskey } from './passkeys.ts'
import { assertUncommon, hashPassword } from './password.ts'
import { assertSignedIn, listOwnSessions, signedInAdministrator, signedOut } from './sessions.ts'

/** @throws UserError 'not-found' for a command, and in open mode, where no one is signed in. */
export async function getAccount(call: Call): Promise<Account> {
  const [[row], passkeys, sessions] = await Promise.all([
    db.select().from(administrators).where(isCaller(call)),
    listPasskeys(signedInAdministrator(call).id),
    listOwnSessions(call),
  ])
  if (row === undefined) throw signedOut()
  const { name, email, role, seesContacts, prayers, mail } = row
  const hasPassword = row.passwordHash !== null
  const shownPasskeys = passkeys.map(shownPasskey)
  return { name, email, role, seesContacts, prayers, mail, hasPassword, passkeys: shownPasskeys, sessions }
}

/**
 * Changes the caller's name, email or password, or what they get by mail. A new password signs them out in all other
 * browsers.
 * @throws UserError 'invalid' for a password that is too common, 'unauthenticated' once the session is over, 'conflict'
 * for an email of another administrator, and for a password that comes from ADMIN_PASSWORD.
 */
export async function changeAccount(input: unknown, call: Call): Promise<Account> {
  const { password, mail, ...change } = parseInput(accountChange, input)
  const { id, session } = signedInAdministrator(call)
  if (password !== undefined) await assertUncommon(password)
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await transaction(async (tx) => {
    // The session may have ended while the password was hashed, e.g. because it was stolen.
    await assertSignedIn(tx, call)
    const [before] = await tx.select().from(administrators).where(isCaller(call))
    if (before === undefined) throw signedOut()
    if (passwordHash !== undefined && before.isFromSettings) throw new UserError('password-of-settings').at('password')
    await storeChange(tx, before, change, call)
    if (mail !== undefined) {
      await tx.update(administrators).set({ mail }).where(isCaller(call))
      await audit(tx, call, 'administrator changed', `administrator ${id} mail=${mail.join(',')}`)
    }
    if (passwordHash === undefined) return
    // Also ends an open invitation: someone else may have requested it.
    const set = { passwordHash, invitationHash: null, invitationEndsAt: null }
    await tx.update(administrators).set(set).where(isCaller(call))
    await tx.delete(sessions).where(and(eq(sessions.administratorId, id), ne(sessions.id, session)))
    await audit(tx, call, 'password set', `administrator ${id}`)
  })
  return getAccount(call)
}

function isCaller(call: Call) {
  return and(eq(administrators.id, signedInAdministrator(call).id), isPresent)
}
