import { randomBytes } from 'node:crypto'
import { millisecondsInMinute } from 'date-fns/constants'
import { eq, inArray, lt } from 'drizzle-orm'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/allowance.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { queueMail } from '#db/mail/queue.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import type { Allowance } from '#db/values/allowance.ts'
import { UserError } from '#db/values/errors.ts'
import { linkWish } from '#db/values/private-link.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { hashOfLinkSecret, SECRET_BYTES } from './link-secret.ts'

/** So long a link still says that its service is over. */
const KEPT_DAYS = 30
/** How many links one network may ask for: a household with several addresses, and some that were mistyped. */
const wishes: Allowance = { atOnce: 5, everyMs: millisecondsInMinute }

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

/**
 * Queues a message with the private links of the RSVPs of an address. Only the message, once it is made, finds out whether
 * there are any: the reply and its time are the same for every address. Once more within a minute is the same message.
 * @throws UserError 'not-found' where no mail is sent, 'too-many' after too many from the caller's network.
 */
export async function sendLink(input: unknown, { now, network, language, sendsMail }: Call): Promise<void> {
  const { email } = parseInput(linkWish, input)
  if (sendsMail !== true) throw new UserError('no-mail')
  const hash = await readKeyedHash()
  const refused = await transaction(async (tx) => {
    const levels = network === undefined ? [] : levelsOfNetwork('send link', network, wishes)
    const empty = await takeFromEach(tx, levels, now)
    if (empty !== undefined) return empty
    const key = `link ${hash('address', email.toLowerCase())} ${Math.floor(now.getTime() / millisecondsInMinute)}`
    const times = { dueAt: now.toISOString(), endsAt: daysBefore(now, -2) }
    await queueMail(tx, [{ key, kind: 'link', address: email, language, ...times }], now)
    return undefined
  })
  if (refused !== undefined) throw tooMany('too-many-links', refused.wait)
}
