import { randomBytes } from 'node:crypto'
import { inArray, lt } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { hashOfLinkSecret, SECRET_BYTES } from '#db/rsvp/link-secret.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { privateLinks } from './table.ts'

/** So long a link still says that its service is over. */
const KEPT_DAYS = 30

/** The RSVP of one service, or the standing RSVP of a household. */
export type LinkTarget = { rsvpId: number } | { standingId: number }

/** Lets the secret with this hash change an RSVP. */
export async function storeLink(tx: Transaction, hash: string, target: LinkTarget, { now }: Call): Promise<void> {
  const link = { hash, purpose: 'change' as const, ...target, createdAt: now.toISOString() }
  await tx.insert(privateLinks).values(link).onConflictDoNothing()
}

/** Forgets the links of RSVPs whose service was over a month ago: each message has made one. */
export async function forgetOldLinks({ now }: Call): Promise<void> {
  const { id, serviceDate } = rsvps
  const over = db
    .select({ id })
    .from(rsvps)
    .where(lt(serviceDate, daysBefore(now, KEPT_DAYS)))
  await transaction((tx) => tx.delete(privateLinks).where(inArray(privateLinks.rsvpId, over)), { repeatable: true })
}

/** Makes another secret for an RSVP, e.g. for a message: only hashes are stored, so an earlier one cannot be read again. */
export async function makeLink(tx: Transaction, target: LinkTarget, call: Call): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await storeLink(tx, hashOfLinkSecret(secret), target, call)
  return secret
}
