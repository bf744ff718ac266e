import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { prayerFields } from '#db/prayer/schema.ts'
import type { KeyedHash } from '#db/secret/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { featureFields, rsvpRequest } from './schema.ts'
import { DIGESTED_KEY, erasedKeys, rsvps } from './table.ts'

const { shape } = rsvpRequest
const optionalFields = [...Object.values(featureFields).flat(), ...Object.keys(prayerFields)] as (keyof typeof shape)[]

/** The whole request, including features that are off. An invalid value of a feature counts as not sent. */
const wholeRequest = z.extend(
  rsvpRequest,
  Object.fromEntries(
    optionalFields.map((name) => [name, z.catch<z.ZodMiniType>(shape[name], shape[name].parse(undefined))]),
  ),
)

/** Identifies a request. The keyed hashes neither reveal what was sent nor confirm a guess at it. */
export type RequestDigest = { key: string; bodyHash: string | null }

/** Reads a body, including fields of features that are off. */
export function readWholeRequest(body: unknown): object {
  return wholeRequest.parse(body)
}

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
