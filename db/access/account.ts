import { and, eq, isNull, ne } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { storeChange } from './administrators.ts'
import { assertUncommon, hashPassword } from './password.ts'
import { type Account, accountChange } from './schema.ts'
import { ownAdministrator } from './sessions.ts'
import { administrators, passkeys, sessions } from './table.ts'

/** @throws UserError 'not-found' for a command, and in open mode, where no one is signed in. */
export const getAccount = operationWithoutInput(async (call): Promise<Account> => {
  const [[own], kept] = await Promise.all([
    db.select().from(administrators).where(isOwn(call)),
    db
      .select()
      .from(passkeys)
      .where(eq(passkeys.administratorId, ownAdministrator(call).id))
      .orderBy(passkeys.createdAt),
  ])
  if (own === undefined) throw signedOut()
  const { name, email, role, seesContacts, passwordHash } = own
  const moment = (at: number) => new Date(at).toISOString()
  return {
    ...{ name, email, role, seesContacts, hasPassword: passwordHash !== null },
    passkeys: kept.map(({ id, name, createdAt, usedAt }) => ({
      ...{ id, name, createdAt: moment(createdAt) },
      usedAt: usedAt === null ? null : moment(usedAt),
    })),
  }
})

/**
 * Changes the own name, email or password. A new password signs the caller out in all other browsers.
 * @throws UserError 'invalid' for a password that is too common, 'unauthenticated' once the session is over, 'conflict'
 * for an email of another administrator, and for a password that comes from ADMIN_PASSWORD.
 */
export const changeAccount = operation(accountChange, async ({ password, ...change }, call): Promise<Account> => {
  const { id, session } = ownAdministrator(call)
  if (password !== undefined) await assertUncommon(password)
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await transaction(async (tx) => {
    // While the password was hashed, the session may have been ended, e.g. because it was stolen.
    const isAlive = (await tx.$count(sessions, eq(sessions.id, session))) > 0
    const [before] = await tx.select().from(administrators).where(isOwn(call))
    if (before === undefined || !isAlive) throw signedOut()
    if (passwordHash !== undefined && before.isFromSettings) throw fromSettings()
    await storeChange(tx, before, change, call)
    if (passwordHash === undefined) return
    // Someone else may have had a link made.
    const set = { passwordHash, invitationHash: null, invitationEndsAt: null }
    await tx.update(administrators).set(set).where(isOwn(call))
    await tx.delete(sessions).where(and(eq(sessions.administratorId, id), ne(sessions.id, session)))
    await audit(tx, call, 'password set', `administrator ${id}`)
  })
  return getAccount(call)
})

function isOwn(call: Call) {
  return and(eq(administrators.id, ownAdministrator(call).id), isNull(administrators.removedAt))
}

function signedOut(): UserError {
  return new UserError('unauthenticated', 'You are signed out. Sign in, then try again.')
}

function fromSettings(): UserError {
  const message = 'Your password comes from ADMIN_PASSWORD. Change it there, and restart the site.'
  return new UserError('conflict', message, [{ path: 'password', message }])
}
