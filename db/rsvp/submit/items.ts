import { type SQL, sql } from 'drizzle-orm'

/** The RSVPs that one transaction stores, in the order in which they came: a JSON array with a row for each. */
export const items = sql`json_each(${sql.placeholder('items')}) AS item`

/** A field of such an RSVP. */
export function field(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'${name}'`)}`
}
