import { and, desc, lt, type SQL, sql } from 'drizzle-orm'
import type { RsvpSearch } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'

/**
 * One page of responses. `json` is a JSON array as UTF-8, `next` where the page after it begins, `filter` the filter that
 * it was read with.
 */
export type RsvpPage = { json: Buffer; next: number | undefined; filter: RsvpSearch }

type PageRequest = RsvpSearch & { limit: number; before?: number | undefined }

/**
 * Reads one page, newest first. `object` is the JSON of a response. SQLite joins those of the page, because the driver
 * makes an object of every row, and hands them over as bytes: a text would be decoded and encoded again on its way out.
 */
export async function readPage(
  object: SQL<string>,
  wanted: (SQL | undefined)[],
  { limit, before, ...filter }: PageRequest,
): Promise<RsvpPage> {
  const newest = db
    .select({ id: rsvps.id, object: object.as('object') })
    .from(rsvps)
    .where(and(before === undefined ? undefined : lt(rsvps.id, before), ...wanted))
    .orderBy(desc(rsvps.id))
    .limit(limit)
    .as('newest')
  const page = db
    .select({
      last: sql<number | null>`min(${newest.id})`.as('last'),
      json: sql<ArrayBuffer>`CAST('[' || coalesce(group_concat(${newest.object}, ','), '') || ']' AS BLOB)`.as('json'),
    })
    .from(newest)
    .as('page')
  const older = db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(lt(rsvps.id, page.last), ...wanted))
  const [found] = await db.select({ last: page.last, json: page.json, goesOn: sql<number>`EXISTS ${older}` }).from(page)
  if (found === undefined) throw new Error('Reading a page returned no row.')
  const next = found.goesOn && found.last !== null ? found.last : undefined
  return { filter, json: Buffer.from(found.json), next }
}
