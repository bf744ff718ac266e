import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { levelsOfNetwork, multiplyAllowance, takeFromEach, tooMany } from '#db/allowance.ts'
import type { Call } from '#db/call.ts'
import type { KeyedHash } from '#db/keyed-hash.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { DIGESTED_KEY, erasedKeys, rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'

/** The allowance for all networks together, in multiples of one network's. Beyond it RSVPs are stored and marked as a flood. */
const GLOBAL = { name: 'rsvp from everywhere', times: 10 }

/**
 * Counts an RSVP that is sent or changed.
 * @returns the UserError 'too-many' if the caller's network, or one around it, has used up its allowance; and whether
 * all networks together send so many at this moment that it looks like a flood.
 */
export async function countRsvp(tx: Transaction, call: Call): Promise<{ refused?: UserError; flooded: boolean }> {
  const { network, allowance, now } = call
  if (network === undefined || allowance === undefined) return { flooded: false }
  const everyone = { name: GLOBAL.name, allowance: multiplyAllowance(allowance, GLOBAL.times) }
  const empty = await takeFromEach(tx, [...levelsOfNetwork('rsvp', network, allowance), everyone], now)
  if (empty?.name === GLOBAL.name) return { flooded: true }
  if (empty === undefined) return { flooded: false }
  // Calls can be counted out of order by some milliseconds; `everyMs` is the longest wait for one more RSVP.
  const wait = Math.min(empty.wait, empty.allowance.everyMs)
  return { refused: tooMany('too-many-rsvps', wait), flooded: false }
}

/**
 * Counts a request that stores no new RSVP: an invalid one, a change or a withdrawal.
 * @throws UserError 'too-many' as `countRsvp` returns it.
 */
export async function refuseTooMany(call: Call): Promise<void> {
  const { refused } = await transaction((tx) => countRsvp(tx, call))
  if (refused !== undefined) throw refused
}

/** Identifies a request. The keyed hashes neither reveal what was sent nor confirm a guess at it. */
export type RequestDigest = { key: string; bodyHash: string | null }

/** A request without a key is stored under random bits. */
export function digestRequest(idempotencyKey: string | undefined, request: object, hash: KeyedHash): RequestDigest {
  if (idempotencyKey === undefined) return { key: randomUUID(), bodyHash: null }
  const fields = Object.entries(request).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    key: DIGESTED_KEY + hash('key', idempotencyKey),
    bodyHash: hash('body', JSON.stringify(Object.fromEntries(fields))),
  }
}

const { id, linkHash, standingId, deletedAt } = rsvps
const key = sql.placeholder('key')
const storedWithKey = db
  .select({ id, linkHash, standingId, deletedAt, bodyHash: rsvps.bodyHash })
  .from(rsvps)
  .where(eq(rsvps.key, key))
  .prepare()
const erasedWithKey = db.select().from(erasedKeys).where(eq(erasedKeys.key, key)).prepare()

/**
 * The response that is already stored for this key and body.
 * @throws UserError 'key-reused' when it came with another body, 'deleted' when it has been deleted since.
 */
export async function findStored(sent: RequestDigest) {
  const [known] = await storedWithKey.all(sent)
  if (known === undefined && (await erasedWithKey.all(sent)).length === 0) return undefined
  if (known === undefined || known.deletedAt !== null) throw new UserError('deleted-since')
  // Anonymous responses have no hash.
  if (known.bodyHash === null || known.bodyHash === sent.bodyHash) return known
  throw new UserError(
    'key-reused',
    'This Idempotency-Key has stored another response. Send this one with a key of its own.',
  )
}
