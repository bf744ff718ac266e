import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { PRINTED_MAXIMUM, tooManyToPrint } from './fields.ts'
import { sortByName } from './names.ts'
import { readStored } from './read.ts'
import type { StoredRsvp, TablePage } from './schema.ts'
import { type RsvpSearch, type TableRequest, tableRequest } from './schema.ts'
import { conditions, findAllIds, oneOf } from './search.ts'
import { rsvps } from './table.ts'

/** Rows per page: on a phone each is a card, and people do not scroll through more. */
const TABLE_PAGE = 100

/** The part of the request that locates the page. */
type Place = Pick<TableRequest, 'sort'> & Partial<Pick<TableRequest, 'before' | 'after'>>

/**
 * A page of the administration's table, in the requested order, with its place among all matches. The neighboring pages
 * are located by its first and its last row, so that no page costs more than the first one.
 */
export const getTablePage = operation(tableRequest, async ({ sort, before, after, ...filter }): Promise<TablePage> => {
  const wanted = await wantedBy(filter)
  const page = await readPage(wanted, { sort, before, after })
  // Paging back from the second page shows the whole first page, even if rows were added or removed since.
  if (page.ahead === 0 && page.responses.length < TABLE_PAGE && page.total > page.responses.length)
    return readPage(wanted, { sort })
  return page
})

/** How many rows one statement reads if all of them are wanted. */
const ROWS_AT_ONCE = 500

/**
 * All rows of the administration's table, in the requested order, in batches, of which the first is already read.
 * @throws UserError 'too-large' for more rows than can be printed.
 */
export const getTableRows = operation(
  tableRequest,
  async ({ sort, before: _, after: __, ...filter }): Promise<AsyncGenerator<StoredRsvp[]>> => {
    const wanted = await wantedBy(filter)
    if ((await db.$count(rsvps, and(...wanted))) > PRINTED_MAXIMUM) throw new UserError('too-large', tooManyToPrint)
    if (sort === 'name') return rowsByName(await listByName(wanted), wanted)
    return rowsFrom(await readRows(wanted, { sort }, ROWS_AT_ONCE), wanted, sort)
  },
)

async function* rowsByName(named: Named[], wanted: (SQL | undefined)[]) {
  for (let at = 0; at < named.length; at += ROWS_AT_ONCE) yield readInOrder(named.slice(at, at + ROWS_AT_ONCE), wanted)
}

async function* rowsFrom(first: StoredRsvp[], wanted: (SQL | undefined)[], sort: TableRequest['sort']) {
  let rows = first
  for (;;) {
    yield rows
    const last = rows.at(-1)?.id
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    rows = await readRows(wanted, { sort, ...(sort === 'newest' ? { before: last } : { after: last }) }, ROWS_AT_ONCE)
  }
}

async function wantedBy(filter: RsvpSearch): Promise<(SQL | undefined)[]> {
  if (filter.q === undefined) return conditions(filter)
  // Filtered again, because some of the responses found may have been deleted since.
  return [oneOf(await findAllIds(filter)), ...conditions(filter)]
}

async function readPage(wanted: (SQL | undefined)[], place: Place): Promise<TablePage> {
  if (place.sort === 'name') return readPageByName(wanted, place)
  const responses = await readRows(wanted, place, TABLE_PAGE)
  const [first] = responses
  const isAhead = first === undefined ? sql`false` : beside(first.id, place.sort === 'newest' ? '>' : '<')
  return { responses, ...(await countWanted(wanted, isAhead)) }
}

async function countWanted(wanted: (SQL | undefined)[], isAhead = sql`false`) {
  const [counts] = await db
    .select({
      total: count(),
      ahead: sql<number>`count(*) FILTER (WHERE ${isAhead})`,
      newest: sql<number>`coalesce(max(${rsvps.id}), 0)`,
    })
    .from(rsvps)
    .where(and(...wanted))
  if (counts === undefined) throw new Error('Counting returned no row.')
  return counts
}

/** SQLite does not know the order of names, so the place of a page is found in all of them. */
async function readPageByName(wanted: (SQL | undefined)[], { before, after }: Place): Promise<TablePage> {
  const bound = before ?? after
  const named = await listByName(wanted, bound)
  const place = named.findIndex(({ id }) => id === bound)
  // A bound that was deleted meanwhile is in the list only for its place.
  const ahead = named.slice(0, before === undefined ? place + 1 : Math.max(0, place)).filter(({ isWanted }) => isWanted)
  const start = before === undefined ? ahead.length : Math.max(0, ahead.length - TABLE_PAGE)
  const end = before === undefined ? start + TABLE_PAGE : ahead.length
  const responses = await readInOrder(named.filter(({ isWanted }) => isWanted).slice(start, end), wanted)
  return { responses, ...(await countWanted(wanted)), ahead: start }
}

type Named = { id: number; name: string; isWanted: number }

/** All that are wanted, in the order of the sheet, and the bound. */
async function listByName(wanted: (SQL | undefined)[], bound = 0): Promise<Named[]> {
  const isWanted = and(...wanted) ?? sql`true`
  const named = await db
    .select({ id: rsvps.id, name: rsvps.name, isWanted: sql<number>`${isWanted}` })
    .from(rsvps)
    .where(or(eq(rsvps.id, bound), isWanted))
    .orderBy(asc(rsvps.id))
  return sortByName(named)
}

export async function readInOrder(named: { id: number }[], wanted: (SQL | undefined)[] = []): Promise<StoredRsvp[]> {
  const ids = named.map(({ id }) => id)
  const places = new Map(ids.map((id, place) => [id, place]))
  const rows = await readStored(and(oneOf(ids), ...wanted))
  return rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
}

async function readRows(
  wanted: (SQL | undefined)[],
  { sort, before, after }: Place,
  limit: number,
): Promise<StoredRsvp[]> {
  const bound = before ?? after
  // The rows next to a bound: below it the highest, above it the lowest.
  const rising = before === undefined && (after !== undefined || sort !== 'newest')
  const order = rising ? asc : desc
  const ordered = moments.map((key) => order(key))
  // Selects the ids first: otherwise SQLite would build the JSON of all rows to sort them.
  const chosen = db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(bound === undefined ? undefined : beside(bound, before === undefined ? '>' : '<'), ...wanted))
    .orderBy(...ordered)
    .limit(limit)
  const rows = await readStored(inArray(rsvps.id, chosen), ordered)
  return rising === (sort !== 'newest') ? rows : rows.reverse()
}

/** Imported responses came earlier than their ids suggest. */
const moments = [rsvps.createdAt, rsvps.id]

/** Before or after a response in the order of moments. Its own is looked up: an address contains only its id. */
function beside(id: number, side: '<' | '>'): SQL {
  const keys = sql.join(moments, sql`, `)
  // If it was erased, its neighbor by id, which came at about the same time, takes its place.
  const nearest = side === '<' ? sql`>= ${id} ORDER BY ${rsvps.id}` : sql`<= ${id} ORDER BY ${rsvps.id} DESC`
  return sql`(${keys}) ${sql.raw(side)} (SELECT ${keys} FROM ${rsvps} WHERE ${rsvps.id} ${nearest} LIMIT 1)`
}
