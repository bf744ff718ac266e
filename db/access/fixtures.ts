import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances, auditEntries, challenges, passkeys, sessions } from '#db/tables/access.ts'
import { emptyTables, testCall } from '#testing/database-fixtures.ts'
import { hashOfToken } from './tokens.ts'

/** Removes all administrators, sessions, limits and audit entries. */
export function emptyAccess(): Promise<void> {
  const people = [administrators, passkeys, challenges, sessions]
  return emptyTables(...people, allowances, auditEntries)
}

/** Starts a session without the half second that a password takes; returns its id. */
export async function addSession(
  administratorId: number,
  token: string,
  changes: Partial<typeof sessions.$inferInsert> = {},
): Promise<number> {
  const at = testCall().now.getTime()
  const row = { administratorId, tokenHash: hashOfToken(token), createdAt: at, usedAt: at, ...changes }
  const [added] = await transaction((tx) => tx.insert(sessions).values(row).returning({ id: sessions.id }))
  return added?.id ?? 0
}

/** Stores a passkey that signs no one in. */
export async function addPasskey(
  administratorId: number,
  changes: Partial<typeof passkeys.$inferInsert> = {},
): Promise<void> {
  const made = { name: 'Phone', publicKey: '', counter: 0, transports: '', createdAt: 0 }
  const row = { id: `key of ${administratorId}`, administratorId, ...made, ...changes }
  await transaction((tx) => tx.insert(passkeys).values(row))
}

/** The stored hash of the password of the first administrator. */
export async function hashInTable(): Promise<string> {
  return (await db.select().from(administrators))[0]?.passwordHash ?? ''
}
