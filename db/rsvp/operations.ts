import { and, eq, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { type Operation, operation } from '#db/operation.ts'
import { getShownNames } from '#db/settings/operations.ts'
import { db } from '#db/storage/client.ts'
import { everyCell } from './export/cells-sql.ts'
import { everyField, publicFields } from './export/json.ts'
import { conditions, isLive, isNamed, oneOf } from './list/conditions.ts'
import { findIds } from './list/find-ids.ts'
import { type CellPage, type PageEnd, type RsvpPage, readCells, readPage } from './list/read-page.ts'
import { noSuchRsvp } from './no-such-rsvp.ts'
import {
  featureFields,
  newRsvp,
  pageRequest,
  publicPageRequest,
  rsvpId,
  type StoredRsvp,
  storedRsvp,
} from './schema.ts'
import { refuseTooMany } from './submit/limit.ts'
import { storeOnce } from './submit/store-once.ts'
import { rsvps } from './table.ts'

/**
 * Stores a response with its family members and volunteer roles, all or nothing. What belongs to a feature that is
 * off is left out unread. The same idempotency key with the same body again returns the first id and stores nothing.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered; 'too-many' when the
 * caller's network has sent as many as it may; 'key-reused' and 'deleted' as `findStored` throws them.
 */
export const createRsvp: Operation<{ id: number }, z.input<typeof newRsvp>> = async (input, call) => {
  // What does not fit counts as sent as well.
  const known = dropDisabledFields(input, await getFeatures(call))
  const storeRsvp = operation(
    newRsvp,
    (sent) => storeOnce(sent, known === input ? undefined : input, call),
    refuseTooMany,
  )
  return storeRsvp(known, call)
}

/**
 * One page of responses, newest first, as JSON text made inside SQLite: an array of stored responses for an
 * administrator, of public ones for everyone else.
 * @throws UserError 'unauthenticated' when visitors are shown no list.
 */
export const listRsvps: Operation<RsvpPage, z.input<typeof pageRequest>> = (input, call) =>
  call.administrator ? listStoredRsvps(input, call) : listPublicRsvps(input, call)

const listStoredRsvps = operation(pageRequest, async (request) =>
  readFiltered(request, (wanted) => readPage(everyField, wanted, request)),
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
    return readFiltered(request, (wanted) => readCells(everyCell, wanted, request))
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
    .select({ object: everyField })
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

/** Removes the fields of disabled features, unread: a form may have been open when a feature was switched off. */
function dropDisabledFields(input: unknown, features: Features): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const off: string[] = featureNames.filter((name) => !features[name]).flatMap((name) => featureFields[name])
  if (off.length === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !off.includes(field)))
}
