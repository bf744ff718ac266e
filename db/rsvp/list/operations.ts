import { and, eq, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { type Operation, operation } from '#db/operation.ts'
import { everyCell } from '#db/rsvp/export/cells-sql.ts'
import { everyField, publicFields } from '#db/rsvp/export/json.ts'
import { rsvpId, type StoredRsvp, storedRsvp } from '#db/rsvp/schema.ts'
import { noSuchRsvp } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { getShownNames } from '#db/settings/operations.ts'
import { db } from '#db/storage/client.ts'
import { conditions, isLive, isNamed, oneOf } from './conditions.ts'
import { findIds } from './find-ids.ts'
import { type CellPage, type PageEnd, type RsvpPage, readCells, readPage } from './read-page.ts'
import { pageRequest, publicPageRequest } from './schema.ts'

/**
 * One page of responses, newest first, as JSON text made inside SQLite: an array of stored responses for an
 * administrator, of public ones for everyone else.
 * @throws UserError 'unauthenticated' when visitors are shown no list.
 */
export const listRsvps: Operation<RsvpPage, z.input<typeof pageRequest>> = (input, call) =>
  call.administrator ? listStoredRsvps(input, call) : listPublicRsvps(input, call)

const listStoredRsvps = operation(pageRequest, async (request) =>
  readFiltered(request, (wanted) => readPage(everyField(), wanted, request)),
)

/**
 * The cells of the CSV of one page of responses, for an administrator.
 * @throws UserError 'unauthenticated' for everyone else.
 */
export const listCells: Operation<CellPage, z.input<typeof pageRequest>> = operation(
  pageRequest,
  async (request, call) => {
    if (!call.administrator)
      throw new UserError('unauthenticated', 'Only the administrator downloads the responses. Sign in at /admin.')
    return readFiltered(request, (wanted) => readCells(everyCell(), wanted, request))
  },
)

const listPublicRsvps = operation(publicPageRequest, async (request, call): Promise<RsvpPage> => {
  const names = await getShownNames(call)
  if (names === 'counts' || names === 'none') {
    throw new UserError('unauthenticated', 'Only the administrator sees the list of responses. Sign in at /admin.')
  }
  return readPage(publicFields(names), [...conditions(request), isNamed], request)
})

/**
 * One response in full.
 * @throws UserError 'not-found' when there is no such response.
 */
export const getRsvp = operation(rsvpId, async ({ id }): Promise<StoredRsvp> => {
  const [found] = await db
    .select({ object: everyField() })
    .from(rsvps)
    .where(and(eq(rsvps.id, id), isLive))
  if (found === undefined) throw noSuchRsvp()
  return storedRsvp.parse(JSON.parse(found.object))
})

/** Reads one page of what a filter finds. Only `findIds` knows where the page after a searched one begins. */
async function readFiltered<Page extends PageEnd>(
  request: z.output<typeof pageRequest>,
  read: (wanted: (SQL | undefined)[]) => Promise<Page>,
): Promise<Page> {
  if (request.q === undefined) return read(conditions(request))
  const ids = await findPage(request)
  const here = ids.slice(0, request.limit)
  // The filter again, because some of what was found may be deleted by now.
  const page = await read([oneOf(here), ...conditions(request)])
  return { ...page, next: ids.length > here.length ? here.at(-1) : undefined }
}

/** The ids that a search finds for one page, and some more where there are more. */
async function findPage(request: z.output<typeof pageRequest>): Promise<number[]> {
  const ids: number[] = []
  for await (const some of findIds(request, request.before)) {
    ids.push(...some)
    if (ids.length > request.limit) break
  }
  return ids
}
