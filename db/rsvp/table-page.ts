import { and, asc } from 'drizzle-orm'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { sortByName } from './names.ts'
import { readStored } from './read.ts'
import { type StoredRsvp, type TablePage, type TableRequest, tableRequest } from './schema.ts'
import { conditions, findAllIds, isLive, oneOf } from './search.ts'
import { rsvps } from './table.ts'

/** Rows per page: on a phone each is a card, and people do not scroll through more. */
const TABLE_PAGE = 100

/** A page of the administration's table, in the requested order; the last one if there are fewer pages. */
export const getTablePage = operation(tableRequest, async ({ page = 1, ...request }): Promise<TablePage> => {
  const wanted = await listWanted(request)
  const shown = Math.min(page, Math.max(1, Math.ceil(wanted.length / TABLE_PAGE)))
  const ahead = (shown - 1) * TABLE_PAGE
  return {
    responses: await readInOrder(wanted.slice(ahead, ahead + TABLE_PAGE)),
    total: wanted.length,
    ahead,
    page: shown,
    newest: wanted.reduce((newest, { id }) => Math.max(newest, id), 0),
  }
})

/** All responses that match, in the requested order: SQLite does not know that of names. */
async function listWanted({ sort, page: _, ...filter }: TableRequest) {
  const found = filter.q === undefined ? undefined : oneOf(await findAllIds(filter))
  const rows = await db
    .select({ id: rsvps.id, name: rsvps.name })
    .from(rsvps)
    .where(and(found, ...conditions(filter)))
    // Imported responses came earlier than their ids suggest.
    .orderBy(asc(rsvps.createdAt), asc(rsvps.id))
  if (sort === 'name') return sortByName(rows)
  return sort === 'newest' ? rows.reverse() : rows
}

async function readInOrder(wanted: { id: number }[]): Promise<StoredRsvp[]> {
  const ids = wanted.map(({ id }) => id)
  const rows = await readStored(and(oneOf(ids), isLive))
  return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}
