import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput } from '#db/call.ts'
import { type KeyedHash, readKeyedHash } from '#db/keyed-hash.ts'
import { db } from '#db/storage/client.ts'
import { DIGESTED_KEY, prayers, rsvps } from '#db/tables/rsvp.ts'
import { storedRsvp } from '#db/values/rsvp.ts'
import { everyField, isLive } from './read.ts'

/** How long a mark shows the thank-you of a response, in ms. */
export const THANKS_TTL_MS = 10 * 60 * 1000
/**
 * Its end in ms since 1970 (base 36), the digest of the response's key, and the signature of both. No id, which would
 * reveal the number of RSVPs.
 */
const MARK = /^([0-9a-z]{1,9})\.([\w-]{43})\.([\w-]{43})$/

const createThanksMarkInput = z.object({ id: z.int() })

/**
 * Creates the mark that lets a page show the thank-you of a response that was just stored. The secret alone, e.g. from
 * a backup, is not enough to create one: the digest comes from the random key of the form.
 */
export async function createThanksMark(input: unknown, { now }: Call): Promise<string> {
  const { id } = parseInput(createThanksMarkInput, input)
  const [found] = await db.select({ key: rsvps.key }).from(rsvps).where(eq(rsvps.id, id))
  if (!found?.key.startsWith(DIGESTED_KEY)) return ''
  const ends = (now.getTime() + THANKS_TTL_MS).toString(36)
  const digest = found.key.slice(DIGESTED_KEY.length)
  return [ends, digest, signatureOf(await readKeyedHash(), ends, digest)].join('.')
}

const findThankedRsvpInput = z.string()

/**
 * The response that a mark thanks for, with its prayer request and the hash of its private link; undefined if the mark
 * is invalid or expired, the response was deleted since, or a merge has ended its link.
 */
export async function findThankedRsvp(input: unknown, { now }: Call) {
  const mark = parseInput(findThankedRsvpInput, input)
  const [, ends, digest, signature] = MARK.exec(mark) ?? []
  if (ends === undefined || digest === undefined || signature === undefined) return undefined
  const expected = signatureOf(await readKeyedHash(), ends, digest)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  const left = Number.parseInt(ends, 36) - now.getTime()
  // A mark with more time left than any gets was made before the clock was set back.
  if (left <= 0 || left > THANKS_TTL_MS) return undefined
  const [found] = await db
    .select({ object: everyField(), linkHash: rsvps.linkHash, prayer: prayers.text })
    .from(rsvps)
    .leftJoin(prayers, eq(prayers.rsvpId, rsvps.id))
    .where(and(eq(rsvps.key, DIGESTED_KEY + digest), isLive, isNotNull(rsvps.linkHash)))
  if (found === undefined) return undefined
  const { object, ...own } = found
  return { ...storedRsvp.parse(JSON.parse(object)), ...own }
}

function signatureOf(hash: KeyedHash, ends: string, digest: string): string {
  return hash('thanks', `${ends} ${digest}`)
}
