import { sql } from 'drizzle-orm'
import { rsvps } from '#db/rsvp/table.ts'

/** By two different primes: nothing that adds up to the same, as ids or as squares, does so any more. */
const mixed = sql`(${rsvps.id} * 1103515245 % 2147483647)`

/**
 * A number for all responses that a statement finds. As many others have another one. A sum, because its order does not
 * matter; with millions of responses it is still one that JSON can hold.
 */
export const fingerprint = sql<number>`coalesce(sum(${mixed} * ${mixed} % 2147483629), 0)`
