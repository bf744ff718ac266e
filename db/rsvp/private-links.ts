import { createHash, randomBytes } from 'node:crypto'
import { eq, inArray, lt } from 'drizzle-orm'
import type { Call } from '#db/call.ts'
import type { KeyedHash } from '#db/keyed-hash.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { daysBefore } from '#db/values/time-zone.ts'

/** For how many days a link still says that its service is over. */
const KEPT_DAYS = 30

const SECRET_BYTES = 16

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

/** The RSVP of one service, or the standing RSVP of a household. */
export type LinkTarget = { rsvpId: number } | { standingId: number }

/** Lets the secret with this hash change an RSVP. */
export async function storeLink(
  tx: Transaction,
  hash: string,
  target: LinkTarget,
  { now }: Call,
  hidesPrayer = false,
): Promise<void> {
  const link = { hash, purpose: 'change' as const, ...target, hidesPrayer, createdAt: now.toISOString() }
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

/**
 * Makes another secret for an RSVP, e.g. for a message: only hashes are stored, so an earlier one cannot be read again.
 * @param hidesPrayer whether someone else than the sender may get it. It is hidden anyway once an administrator has
 * changed the address: that person would read what was meant for the pastor alone.
 */
export async function makeLink(
  tx: Transaction,
  target: LinkTarget,
  call: Call,
  { hidesPrayer = false } = {},
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const isHidden = hidesPrayer || (await isAddressChanged(target))
  await storeLink(tx, hashOfLinkSecret(secret), target, call, isHidden)
  return secret
}

async function isAddressChanged(target: LinkTarget): Promise<boolean> {
  const own = 'rsvpId' in target ? db.select().from(rsvps).where(eq(rsvps.id, target.rsvpId)) : []
  const [rsvp] = await own
  const id = 'rsvpId' in target ? rsvp?.standingId : target.standingId
  const [standing] = id ? await db.select().from(standingRsvps).where(eq(standingRsvps.id, id)) : []
  return rsvp?.addressChanged === true || standing?.addressChanged === true
}

/** An RSVP, and its household that comes every week, get a link at another address than their sender's. */
export async function markAddressChanged(tx: Transaction, rsvpId: number): Promise<void> {
  const isThis = eq(rsvps.id, rsvpId)
  const household = tx.select({ id: rsvps.standingId }).from(rsvps).where(isThis)
  await tx.update(rsvps).set({ addressChanged: true }).where(isThis)
  await tx.update(standingRsvps).set({ addressChanged: true }).where(inArray(standingRsvps.id, household))
}
