import { getTableColumns } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { isRevision, nextRevision } from '#db/revision.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { defaultEvent } from './default-event.ts'
import { givenTexts, toPayload } from './payload.ts'
import { type EventPayload, eventPayload, eventTexts, type StoredEvent } from './schema.ts'
import { events } from './table.ts'

const { id: _id, language: _language, ...eventColumns } = getTableColumns(events)

export const getEvent = operationWithoutInput(async (call): Promise<EventPayload | null> => {
  return (await getStoredEvent(call))?.event ?? null
})

/** The event and its revision, read together. */
export const getStoredEvent = operationWithoutInput(async (): Promise<StoredEvent | null> => {
  const row = await readRow()
  return row === undefined ? null : toStoredEvent(row)
})

const wholeEvent = z.extend(eventPayload, { onlyIfNone: z.optional(z.boolean()) })

/**
 * Stores the event. An optional text that is left out stays; an empty one is removed.
 * @throws UserError 'already-exists' if `onlyIfNone` is set and there is an event.
 */
export const changeEvent = operation(wholeEvent, ({ onlyIfNone, ...payload }, call) =>
  transaction(async (tx): Promise<StoredEvent> => {
    if (onlyIfNone && (await readRow()) !== undefined)
      throw new UserError('already-exists', 'There is an event already. Load it, then change it.')
    await audit(tx, call, 'event changed')
    return store(tx, whole(payload), payload, call)
  }),
)

/**
 * Changes only the texts that are given, in one write: concurrent changes of other texts stay.
 * @throws UserError 'changed-meanwhile' if the stored revision is not one of `onlyIfRevision`.
 */
export const changeEventTexts = operation(eventTexts, ({ onlyIfRevision, ...texts }, call) =>
  transaction(async (tx): Promise<StoredEvent> => {
    if (onlyIfRevision !== undefined && !isRevision(await readRow(), onlyIfRevision))
      throw new UserError('changed-meanwhile', 'The event was changed meanwhile. Load it again, then change it.')
    await audit(tx, call, 'event changed', Object.keys(texts).join(' '))
    return store(tx, { ...whole(toPayload(defaultEvent)), ...texts }, texts, call)
  }),
)

type EventRow = Required<EventPayload> & { revision: number }

async function readRow(): Promise<EventRow | undefined> {
  const [row] = await db.select(eventColumns).from(events)
  return row
}

async function store(tx: Transaction, first: StoredEvent['event'], change: Partial<EventPayload>, { now }: Call) {
  const revision = nextRevision(now)
  const [row] = await tx
    .insert(events)
    .values({ ...first, revision })
    .onConflictDoUpdate({ target: events.id, set: { ...change, revision } })
    .returning(eventColumns)
  if (row === undefined) throw new Error('The event was stored and then not found.')
  return toStoredEvent(row)
}

function toStoredEvent({ revision, ...row }: EventRow): StoredEvent {
  const { mapLink, contact, whatToExpect, parking, children, ...texts } = row
  return { event: { ...texts, ...givenTexts(row) }, revision }
}

function whole(payload: EventPayload): StoredEvent['event'] {
  return { ...payload, eventTitle: payload.eventTitle ?? defaultEvent.eventTitle }
}
