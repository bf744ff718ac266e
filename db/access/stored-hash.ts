import { eq } from 'drizzle-orm'
import { UserError } from '#db/errors.ts'
import { db } from '#db/storage/client.ts'
import { hashPassword, isOutdated, isPasswordOf } from './password.ts'
import { passwords } from './table.ts'

/** The hash of the password that is set, if one is. */
export async function storedHash(): Promise<string | undefined> {
  const [stored] = await password.all()
  return stored?.hash
}

const password = db.select({ hash: passwords.hash }).from(passwords).prepare()

/**
 * Replaces a cheap hash while the password is at hand. If that fails, the sign-in succeeds all the same.
 * @returns the hash that is stored from now on.
 */
export async function renewHash(hash: string, password: string): Promise<string> {
  if (!isOutdated(hash)) return hash
  try {
    return await replaceHash(hash, password)
  } catch (error) {
    if (error instanceof UserError) return hash
    throw error
  }
}

async function replaceHash(hash: string, password: string): Promise<string> {
  const newHash = await hashPassword(password)
  const replace = db.update(passwords).set({ hash: newHash }).where(eq(passwords.hash, hash))
  const [replaced] = await db.batch([replace.returning({ id: passwords.id })])
  if (replaced.length > 0) return newHash
  // A concurrent sign-in has replaced it already, or the password was changed to another one.
  const stored = await storedHash()
  return stored !== undefined && (await isPasswordOf(stored, password)) ? stored : hash
}
