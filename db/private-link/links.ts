import { randomBytes } from 'node:crypto'
import type { Call } from '#db/operation.ts'
import { hashOfLinkSecret, SECRET_BYTES } from '#db/rsvp/link-secret.ts'
import type { Transaction } from '#db/storage/client.ts'
import { privateLinks } from './table.ts'

/** The RSVP of one service, or the standing RSVP of a household. */
export type LinkTarget = { rsvpId: number } | { standingId: number }

/** Lets the secret with this hash change an RSVP. */
export async function storeLink(tx: Transaction, hash: string, target: LinkTarget, { now }: Call): Promise<void> {
  const link = { hash, purpose: 'change' as const, ...target, createdAt: now.toISOString() }
  await tx.insert(privateLinks).values(link).onConflictDoNothing()
}

/** Makes another secret for an RSVP, e.g. for a message: only hashes are stored, so an earlier one cannot be read again. */
export async function makeLink(tx: Transaction, target: LinkTarget, call: Call): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await storeLink(tx, hashOfLinkSecret(secret), target, call)
  return secret
}
