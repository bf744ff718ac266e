import { eq, gte, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { RsvpFilter } from './schema.ts'
import { rsvps } from './table.ts'

/** Not deleted: what counts, and what is listed unless somebody asks for the others. */
export const isLive = isNull(rsvps.deletedAt)

/** Not made anonymous: every answer is given with an address, and loses it together with its name. */
export const isNamed = ne(rsvps.email, '')

/** What a filter means to the database. */
export function conditions({ status, since, deleted, email }: RsvpFilter): (SQL | undefined)[] {
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
    email === undefined ? undefined : hasEmail(email),
  ]
}

/** Addresses are the same however they are capitalised. */
export function hasEmail(email: string): SQL {
  return sql`lower(${rsvps.email}) = ${email.toLowerCase()}`
}
