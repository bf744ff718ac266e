import { eq } from 'drizzle-orm'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import type { Transaction } from '#db/storage/client.ts'
import { assertUncommon, hashPassword } from './password.ts'
import { administrators, passkeys } from './table.ts'

/** What a passkey is checked against. */
export type Ceremony = {
  /** The public address, whose host is the relying party; undefined where passkeys are not offered. */
  origin: string | undefined
  /** The token that the challenge is bound to: of the session, or of the browser's cookie. */
  challengeToken: string | undefined
}

type Given = { password?: string | undefined; passkey?: { id: string } | undefined; passkeyName?: string | undefined }

/** How a person will sign in from now on, checked and ready to be stored. */
export type Credential = { passwordHash: string } | { passkey: Omit<typeof passkeys.$inferInsert, 'administratorId'> }

/**
 * Checks a password that was chosen, or a passkey that was made.
 * @throws UserError 'invalid' for neither, for a password that is too common, and for a passkey that does not fit.
 */
export async function checkCredential({ password }: Given, _ceremony: Ceremony, _call: Call): Promise<Credential> {
  if (password === undefined) throw new UserError('invalid', 'Choose a password, or make a passkey.')
  await assertUncommon(password)
  return { passwordHash: await hashPassword(password) }
}

export async function storeCredential(tx: Transaction, administratorId: number, credential: Credential): Promise<void> {
  if ('passkey' in credential) await tx.insert(passkeys).values({ administratorId, ...credential.passkey })
  else await tx.update(administrators).set(credential).where(eq(administrators.id, administratorId))
}
