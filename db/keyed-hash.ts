import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '#db/storage/client.ts'
import { secrets } from '#db/tables/access.ts'

/** Hashes a text for one purpose: 43 characters of base64url that cannot be computed without the secret. */
export type KeyedHash = (
  purpose: 'key' | 'body' | 'thanks' | 'calendar' | 'link' | 'address' | 'stop' | 'message' | 'sent link' | 'feed',
  text: string,
) => string

const stored = db.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, 'submissions')).prepare()

/** The hash of this database: HMAC-SHA-256 with the secret that its instances share. */
export async function readKeyedHash(): Promise<KeyedHash> {
  const [secret] = await stored.all()
  if (secret === undefined) throw new Error('The secret of the keyed hash is missing from the database.')
  return (purpose, text) => createHmac('sha256', secret.value).update(`${purpose} ${text}`).digest('base64url')
}
