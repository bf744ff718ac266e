import { and, asc, desc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Call, parseInput } from '#db/call.ts'
import { getShownNames } from '#db/settings.ts'
import { db } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { publicNameOf, sortByName } from '#db/values/names.ts'
import { isAtLeast } from '#db/values/roles.ts'
import {
  type DeletedRsvps,
  pageRequest,
  publicPageRequest,
  type RsvpSearch,
  rsvpId,
  type StoredRsvp,
  type TablePage,
  type TableRequest,
  tableRequest,
} from '#db/values/rsvp.ts'
import { noSuchRsvp } from '#db/values/stored-rsvp.ts'
import { everyField, isLive, jsonOf, oneOf, readStored } from './read.ts'
import { conditions, findAllIds, isNotAnonymous } from './search.ts'

/** The size of all pages but the first: larger, because each costs a statement, but small enough to be read in 2 ms. */
const LATER_PAGES = 200

/** How many deleted responses are listed. */
const DELETED_RESPONSES = 100

/** `objects` are the responses as JSON, as SQLite wrote it; `next` is where the next page begins. */
export type RsvpPage = { objects: string[]; next: number | undefined; filter: RsvpSearch }

/**
 * One page of responses, newest first: stored ones for an administrator, public ones for everyone else.
 * @throws UserError 'unauthenticated' when visitors are shown no list.
 */
export async function listRsvps(input: unknown, call: Call): Promise<RsvpPage> {
  return isAtLeast('clerk', call.role) ? listStoredRsvps(input) : listPublicRsvps(input, call)
}

async function listStoredRsvps(input: unknown) {
  const request = parseInput(pageRequest, input)
  if (request.q === undefined) return readPage(everyField(), conditions(request), request)
  const ids = await findAllIds(request, request.before)
  const here = ids.slice(0, request.limit)
  // Filtered again, because some of the responses found may have been deleted since.
  const page = await readPage(everyField(), [oneOf(here), ...conditions(request)], request)
  return { ...page, next: ids.length > here.length ? here.at(-1) : undefined }
}

async function listPublicRsvps(input: unknown, call: Call): Promise<RsvpPage> {
  const request = parseInput(publicPageRequest, input)
  const names = await getShownNames(call)
  if (names === 'counts' || names === 'none') {
    throw new UserError('unauthenticated', 'Only the administrator sees the list of responses. Sign in at /admin.')
  }
  const page = await readPage(publicFields, [...conditions(request), isNotAnonymous], request)
  if (names === 'full') return page
  const shortened = responsesOf(page).map((each) => ({ ...each, name: publicNameOf(each.name) }))
  return { ...page, objects: shortened.map((each) => JSON.stringify(each)) }
}

/** The first page that `listRsvps` returned, then all pages after it with the same filter. */
export async function* pagesFrom(first: RsvpPage, call: Call): AsyncGenerator<RsvpPage> {
  let page = first
  yield page
  while (page.next !== undefined) {
    page = await listRsvps({ ...first.filter, before: String(page.next), limit: LATER_PAGES }, call)
    yield page
  }
}

/** The responses of these pages as an administrator reads them. */
export async function* responsesFrom(first: RsvpPage, call: Call): AsyncGenerator<StoredRsvp[]> {
  for await (const page of pagesFrom(first, call)) yield responsesOf(page)
}

/** The responses of a page; of those for visitors, only the fields that they may see are there. */
export function responsesOf({ objects }: RsvpPage): StoredRsvp[] {
  return objects.map((object) => JSON.parse(object))
}

/** Rows per page: on a phone each is a card, and people do not scroll through more. */
const TABLE_PAGE = 100

/** A page of the administration's table, in the requested order; the last one if there are fewer pages. */
export async function getTablePage(input: unknown): Promise<TablePage> {
  const { page = 1, ...request } = parseInput(tableRequest, input)
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
}

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

export async function getRsvp(input: unknown): Promise<StoredRsvp> {
  const { id } = parseInput(rsvpId, input)
  return readRsvp(id)
}

/** @throws UserError 'not-found' when there is no such response. */
export async function readRsvp(id: number): Promise<StoredRsvp> {
  const [found] = await readStored(and(eq(rsvps.id, id), isLive))
  if (found === undefined) throw noSuchRsvp()
  return found
}

/** The responses that can be restored, deleted last first. */
export async function getDeletedRsvps(): Promise<DeletedRsvps> {
  const isDeleted = isNotNull(rsvps.deletedAt)
  const lastDeleted = [desc(rsvps.deletedAt), desc(rsvps.id)]
  // Selects the ids first: otherwise SQLite would build the JSON of all rows to sort them.
  const listed = db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(isDeleted)
    .orderBy(...lastDeleted)
    .limit(DELETED_RESPONSES)
  const [responses, total] = await Promise.all([
    readStored(inArray(rsvps.id, listed), lastDeleted),
    db.$count(rsvps, isDeleted),
  ])
  return { responses, total }
}

type PageRequest = RsvpSearch & { limit: number; before?: number | undefined }

/**
 * Reads one page, newest first.
 * @param object the JSON of a response.
 */
async function readPage(
  object: SQL<string>,
  wanted: (SQL | undefined)[],
  { limit, before, ...filter }: PageRequest,
): Promise<RsvpPage> {
  // One more than the page holds tells whether there is another page.
  const found = await db
    .select({ object })
    .from(rsvps)
    .where(and(before === undefined ? undefined : lt(rsvps.id, before), ...wanted))
    .orderBy(desc(rsvps.id))
    .limit(limit + 1)
  const objects = found.slice(0, limit).map((row) => row.object)
  return { filter, objects, next: found.length > limit ? JSON.parse(objects.at(-1) ?? '{}').id : undefined }
}

/** What visitors may see of a response (`PublicRsvp`), as JSON. */
const publicFields = sql<string>`json_object('id', ${rsvps.id}, 'name', ${jsonOf('name')},
  'attending', ${jsonOf('attending')}, 'createdAt', ${jsonOf('createdAt')})`
