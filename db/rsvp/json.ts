import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type StoredRsvp, storedRsvp } from '#db/rsvp/schema.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import type { Reader } from '#db/storage/client.ts'
import { fixedSql } from '#db/storage/fixed-sql.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { PUBLIC_NAME_RULE } from './schema.ts'

// SQLite makes the JSON: five times faster than rows that drizzle maps one by one, and a page is a few strings.
// The lists are ordered in a subquery: a libSQL server does not know ORDER BY inside json_group_array.

const members = sql`(
  SELECT json_group_array(json_object(
    'name', member.name,
    'age', member.age,
    'attending', json(iif(member.attending, 'true', 'false'))))
  FROM (SELECT * FROM ${familyMembers} WHERE rsvp_id = ${rsvps}.id ORDER BY position) AS member)`

const signups = sql`(
  SELECT json_group_array(json_object('role', json_object('id', role.id, 'name', role.name)))
  FROM (SELECT offered.id, offered.name FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS offered ON offered.id = signup.role_id
    WHERE signup.rsvp_id = ${rsvps}.id ORDER BY offered.id) AS role)`

// A name that an older rule made shows only the first letter until `renewPublicNames` has renewed it.
const nameAndInitial = sql`iif(${rsvps.publicNameRule} = ${PUBLIC_NAME_RULE}, ${rsvps.publicName}, substr(${rsvps.name}, 1, 1) || '.')`

/** A response as visitors may see it (`PublicRsvp`), with the name in full or shortened, e.g. `Ana C.` */
export function publicFields(names: 'full' | 'initial') {
  return sql<string>`json_object('id', ${rsvps.id}, 'name', ${names === 'full' ? rsvps.name : nameAndInitial},
    'attending', ${jsonOf('attending')}, 'createdAt', ${rsvps.createdAt})`
}

/** The responses that a condition finds, as an administrator sees them. */
export async function readStored(from: Reader, condition: SQL | undefined, order: SQL[] = []): Promise<StoredRsvp[]> {
  const found = await from
    .select({ object: everyField() })
    .from(rsvps)
    .where(condition)
    .orderBy(...order)
  return found.map(({ object }) => JSON.parse(object))
}

/** A response as an administrator sees it (`StoredRsvp`), its fields in the order of the schema. */
export const everyField = fixedSql(() => objectOf(z.keyof(storedRsvp).options))

function objectOf(names: (keyof StoredRsvp)[]): SQL<string> {
  const fields = names.map((name) => sql`${sql.raw(`'${name}'`)}, ${jsonOf(name)}`)
  return sql`json_object(${sql.join(fields, sql`, `)})`
}

function jsonOf(name: keyof StoredRsvp) {
  if (name === 'familyMembers') return members
  if (name === 'volunteerSignups') return signups
  const column = rsvps[name]
  return column.dataType === 'boolean' ? sql`json(iif(${column}, 'true', 'false'))` : column
}
/**
 * A list as JSON text, a piece a page. `elementsOf` gives the elements of a page, separated by commas; `gap` goes
 * before and after them, e.g. a line break.
 */
export async function* jsonArray<Page>(
  pages: AsyncIterable<Page>,
  elementsOf: (page: Page) => string,
  gap = '',
): AsyncGenerator<string> {
  let lead = `[${gap}`
  for await (const page of pages) {
    const elements = elementsOf(page)
    if (elements === '') continue
    yield lead + elements
    lead = `,${gap}`
  }
  yield lead.startsWith('[') ? `[]${gap}` : `${gap}]${gap}`
}
