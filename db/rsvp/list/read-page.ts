import { and, desc, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import type { RsvpSearch } from './schema.ts'

/** Where a page ends: `next` is where the page after it begins, `filter` the filter that it was read with. */
export type PageEnd = { next: number | undefined; filter: RsvpSearch }

/** One page of responses. `json` is a JSON array as UTF-8. */
export type RsvpPage = PageEnd & { json: Buffer }

/** The cells of one page of so many responses, with the ends of `export/cell-bytes.ts`. */
export type CellPage = PageEnd & { cells: Buffer; count: number }

type PageRequest = RsvpSearch & { limit: number; before?: number | undefined }

/** Reads one page, newest first. `object` is the JSON of a response. */
export async function readPage(
  object: SQL<string>,
  wanted: (SQL | undefined)[],
  request: PageRequest,
): Promise<RsvpPage> {
  const { bytes, next, filter } = await readJoined(
    object,
    (objects) => sql`'[' || coalesce(group_concat(${objects}, ','), '') || ']'`,
    wanted,
    request,
  )
  return { json: bytes, next, filter }
}

/** Reads the cells of one page, newest first. `row` is those of a response. */
export async function readCells(
  row: SQL<string>,
  wanted: (SQL | undefined)[],
  request: PageRequest,
): Promise<CellPage> {
  const { bytes, ...page } = await readJoined(
    row,
    (rows) => sql`coalesce(group_concat(${rows}, ''), '')`,
    wanted,
    request,
  )
  return { ...page, cells: bytes }
}

/**
 * SQLite joins what it makes of each response, because the driver makes an object of every row, and hands it over as
 * bytes: a text would be decoded and encoded again on its way out.
 */
async function readJoined(
  made: SQL<string>,
  join: (made: SQLWrapper) => SQL,
  wanted: (SQL | undefined)[],
  { limit, before, ...filter }: PageRequest,
): Promise<PageEnd & { bytes: Buffer; count: number }> {
  const newest = db
    .select({ id: rsvps.id, made: made.as('made') })
    .from(rsvps)
    .where(and(before === undefined ? undefined : lt(rsvps.id, before), ...wanted))
    .orderBy(desc(rsvps.id))
    .limit(limit)
    .as('newest')
  const page = db
    .select({
      last: sql<number | null>`min(${newest.id})`.as('last'),
      count: sql<number>`count(*)`.as('count'),
      joined: sql<ArrayBuffer>`CAST(${join(newest.made)} AS BLOB)`.as('joined'),
    })
    .from(newest)
    .as('page')
  const older = db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(lt(rsvps.id, page.last), ...wanted))
  const [found] = await db
    .select({ last: page.last, count: page.count, joined: page.joined, goesOn: sql<number>`EXISTS ${older}` })
    .from(page)
  if (found === undefined) throw new Error('Reading a page returned no row.')
  const next = found.goesOn && found.last !== null ? found.last : undefined
  return { filter, bytes: Buffer.from(found.joined), count: found.count, next }
}
