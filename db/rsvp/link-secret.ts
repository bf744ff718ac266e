import { createHash, randomBytes } from 'node:crypto'
import type { KeyedHash } from '#db/secret/keyed-hash.ts'

const SECRET_BYTES = 16

/**
 * The secret of the private link of a new RSVP: 128 bits in base64url. A retry gets the same one, because it is derived from
 * its idempotency key as it was sent. No row holds that, so that neither the database nor a backup can make the secret.
 */
export function linkSecretFor(idempotencyKey: string | undefined, hash: KeyedHash): string {
  if (idempotencyKey === undefined) return randomBytes(SECRET_BYTES).toString('base64url')
  return Buffer.from(hash('link', idempotencyKey), 'base64url').subarray(0, SECRET_BYTES).toString('base64url')
}

/** What is stored of a secret. */
export function hashOfLinkSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
