import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { UserError } from '#db/errors.ts'
import type { KeyedHash } from '#db/secret/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { DIGESTED_KEY, erasedKeys, rsvps } from './table.ts'

/** Identifies a request. The keyed hashes neither reveal what was sent nor confirm a guess at it. */
export type RequestDigest = { key: string; bodyHash: string | null }

/**
 * A request without a key is stored under random bits.
 * @param request as it was sent: a feature that is switched off before a retry must not make another body of it.
 */
export function digestRequest(idempotencyKey: string | undefined, request: object, hash: KeyedHash): RequestDigest {
  if (idempotencyKey === undefined) return { key: randomUUID(), bodyHash: null }
  const fields = Object.entries(request).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    key: DIGESTED_KEY + hash('key', idempotencyKey),
    bodyHash: hash('body', JSON.stringify(Object.fromEntries(fields))),
  }
}

/**
 * The response that is already stored for this key and body.
 * @throws UserError 'key-reused' when it came with another body, 'deleted' when it has been deleted since.
 */
export async function findStored({ key, bodyHash }: RequestDigest) {
  const [known] = await db.select().from(rsvps).where(eq(rsvps.key, key))
  if (known === undefined && (await db.$count(erasedKeys, eq(erasedKeys.key, key))) === 0) return undefined
  if (known === undefined || known.deletedAt !== null) throw new UserError('deleted-since')
  // Anonymous responses have no hash.
  if (known.bodyHash === null || known.bodyHash === bodyHash) return known
  throw new UserError(
    'key-reused',
    'This Idempotency-Key has stored another response. Send this one with a key of its own.',
  )
}
