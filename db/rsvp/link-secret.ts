import { createHash, randomBytes } from 'node:crypto'
import type { KeyedHash } from '#db/keyed-hash.ts'

export const SECRET_BYTES = 16

/**
 * The secret of the private link of a new RSVP: 128 bits in base64url. A retry gets the same one, because it is derived
 * from the idempotency key as it was sent. That key is not stored, so that the secret cannot be computed from the
 * database or a backup.
 */
export function linkSecretFor(idempotencyKey: string | undefined, hash: KeyedHash): string {
  if (idempotencyKey === undefined) return randomBytes(SECRET_BYTES).toString('base64url')
  return Buffer.from(hash('link', idempotencyKey), 'base64url').subarray(0, SECRET_BYTES).toString('base64url')
}

/** Only this hash of a secret is stored. */
export function hashOfLinkSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
