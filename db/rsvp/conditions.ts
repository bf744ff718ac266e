import { eq, gte, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { isSame } from './duplicates.ts'
import { removed } from './fields.ts'
import type { RsvpSearch } from './schema.ts'
import { volunteerSignups } from './table.ts'

/** Not deleted. Only these are counted, and listed unless the deleted ones are asked for. */
export const isLive = isNull(rsvps.deletedAt)

/** Not anonymized: something is left to remove. An empty address alone says nothing, because who calls may have none. */
export const isNamed = or(
  ne(rsvps.email, removed.email),
  ne(rsvps.name, removed.name),
  isNotNull(rsvps.phone),
  isNotNull(rsvps.message),
) as SQL

/** The SQL conditions of a filter, except for the words that it searches for: `findIds` does. */
export function conditions({
  status,
  since,
  deleted,
  email,
  role,
  suspicious,
  same,
  week,
}: RsvpSearch): (SQL | undefined)[] {
  return [
    deleted === 'true' ? isNotNull(rsvps.deletedAt) : email === undefined ? isLive : undefined,
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
    email === undefined ? undefined : hasEmail(email),
    role === undefined ? undefined : offers(role),
    suspicious === undefined ? undefined : isNotNull(rsvps.suspicion),
    same === undefined ? undefined : isSameAs(Number(same)),
    week === undefined ? undefined : eq(rsvps.serviceDate, week),
  ]
}

/** One of these, however many they are. */
export function oneOf(ids: number[]): SQL {
  return sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Upper and lower case do not matter in addresses. */
export function hasEmail(email: string): SQL {
  return sql`lower(${rsvps.email}) = ${email.toLowerCase()}`
}

function offers(role: string): SQL {
  const offering = db.select({ id: volunteerSignups.rsvpId }).from(volunteerSignups)
  return inArray(rsvps.id, offering.where(eq(volunteerSignups.roleId, Number(role))))
}

/** Itself and its duplicates; also those of one that is deleted by now. */
function isSameAs(id: number): SQL {
  const sent = sql`(SELECT service_date, email, name, NULL AS deleted_at FROM ${rsvps} WHERE id = ${id})`
  return sql`(${rsvps.id} = ${id} OR ${rsvps.id} IN (SELECT duplicate.id FROM ${sent} AS sent
    JOIN ${rsvps} AS duplicate ON ${isSame(sql.raw('duplicate'), sql.raw('sent'))}))`
}
