import { eq, gte, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { RsvpFilter } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'

/** Not deleted. Only these are counted, and listed unless the deleted ones are asked for. */
export const isLive = isNull(rsvps.deletedAt)

/** Not anonymized: anonymizing removes the email address, which every other RSVP has. */
export const isNamed = ne(rsvps.email, '')

/** The SQL conditions of a filter. */
export function conditions({ status, since, deleted, email }: RsvpFilter): (SQL | undefined)[] {
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
    email === undefined ? undefined : hasEmail(email),
  ]
}

/** Upper and lower case do not matter in addresses. */
export function hasEmail(email: string): SQL {
  return sql`lower(${rsvps.email}) = ${email.toLowerCase()}`
}
