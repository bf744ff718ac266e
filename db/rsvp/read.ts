import { isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { db } from '#db/storage/client.ts'
import { familyMembers, rsvps, volunteerRoles, volunteerSignups } from '#db/tables/rsvp.ts'
import { MESSAGE_MAXIMUM } from '#db/values/limits.ts'
import { type StoredRsvp, storedRsvp } from '#db/values/rsvp.ts'

/** Selects RSVPs that are not deleted. Only these are counted and, unless deleted ones are requested, listed. */
export const isLive = isNull(rsvps.deletedAt)

/** Selects RSVPs by any number of ids. */
export function oneOf(ids: number[]): SQL {
  return sql`${rsvps.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Selects rows by their e-mail, in upper or lower case. */
export function hasEmail(email: string, table: { email: SQLiteColumn } = rsvps): SQL {
  return sql`lower(${table.email}) = ${email.toLowerCase()}`
}

/** The responses that a condition finds, as an administrator sees them. */
export async function readStored(condition: SQL | undefined, order: SQL[] = [], limit = -1): Promise<StoredRsvp[]> {
  const found = await db
    .select({ object: everyField() })
    .from(rsvps)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
  return found.map(({ object }) => JSON.parse(object))
}

/** A response as an administrator sees it (`StoredRsvp`), its fields in the order of the schema. */
export function everyField(): SQL<string> {
  everyFieldText ??= new SQLiteAsyncDialect().sqlToQuery(objectOf(z.keyof(storedRsvp).options).inlineParams()).sql
  return sql.raw(everyFieldText) as SQL<string>
}

/** Cached: drizzle would build it for every query. */
let everyFieldText: string | undefined

function objectOf(names: (keyof StoredRsvp)[]): SQL<string> {
  const fields = names.map((name) => sql`${sql.raw(`'${name}'`)}, ${jsonOf(name)}`)
  return sql`json_object(${sql.join(fields, sql`, `)})`
}

export function jsonOf(name: keyof StoredRsvp) {
  if (name === 'familyMembers') return members
  if (name === 'volunteerSignups') return signups
  if (name === 'standing') return sql`json(iif(${rsvps.standingId} IS NULL, 'false', 'true'))`
  const column = rsvps[name]
  if (column.dataType === 'boolean') return sql`json(iif(${column}, 'true', 'false'))`
  return column.dataType === 'string' ? textOf(column) : sql`iif(typeof(${column}) = 'blob', NULL, ${column})`
}

/** Of bytes, which another program may have stored, SQLite makes no JSON; a text of any length would stop the site. */
function textOf(column: SQLWrapper): SQL<string> {
  return sql`iif(typeof(${column}) = 'blob', '', substr(${column}, 1, ${sql.raw(String(2 * MESSAGE_MAXIMUM))}))`
}

// SQLite builds the JSON: five times faster than rows that drizzle maps one by one. The lists are ordered in a
// subquery: a libSQL server does not know ORDER BY inside json_group_array.

const members = sql`(
  SELECT json_group_array(json_object(
    'name', ${textOf(sql`member.name`)},
    'age', ${textOf(sql`member.age`)},
    'attending', json(iif(member.attending, 'true', 'false'))))
  FROM (SELECT * FROM ${familyMembers} WHERE rsvp_id = ${rsvps}.id ORDER BY position) AS member)`

const signups = sql`(
  SELECT json_group_array(json_object('role', json_object('id', role.id, 'name', ${textOf(sql`role.name`)})))
  FROM (SELECT offered.id, offered.name FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS offered ON offered.id = signup.role_id
    WHERE signup.rsvp_id = ${rsvps}.id ORDER BY offered.id) AS role)`
