import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { audited, auditedIfChanged } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import { db } from '#db/storage/client.ts'
import { defaultEvent } from './default-event.ts'
import { givenTexts, toPayload } from './payload.ts'
import { type EventPayload, eventTexts, type StoredEvent, wholeEvent } from './schema.ts'
import { events } from './table.ts'

const { id: _id, language: _language, ...eventColumns } = getTableColumns(events)

/** The stored event, or null while nothing is stored. */
export const getEvent = operationWithoutInput(async (call): Promise<EventPayload | null> => {
  return (await getStoredEvent(call))?.event ?? null
})

/** The same with its revision, read at one moment. */
export const getStoredEvent = operationWithoutInput(async (): Promise<StoredEvent | null> => {
  const [row] = await db.select(eventColumns).from(events)
  return row === undefined ? null : toStoredEvent(row)
})

/**
 * Stores the event. An optional text that is left out stays as it is stored; an empty one is removed.
 * @throws UserError 'already-exists' when only a first event was wanted and there is one.
 */
export const changeEvent = operation(wholeEvent, async ({ onlyIfNone, ...payload }, call): Promise<StoredEvent> => {
  const insert = db.insert(events).values({ ...whole(payload), revision: nextRevision(call.now) })
  if (onlyIfNone) {
    const [added] = await db.batch([
      insert.onConflictDoNothing().returning(eventColumns),
      auditedIfChanged(call, 'event changed'),
    ])
    if (added[0] === undefined)
      throw new UserError('already-exists', 'There is an event already. Load it, then change it.')
    return toStoredEvent(added[0])
  }
  const { eventTitle, ...texts } = payload
  const change = eventTitle === undefined ? texts : payload
  const [stored] = await db.batch([
    insert
      .onConflictDoUpdate({ target: events.id, set: { ...change, revision: nextRevision(call.now) } })
      .returning(eventColumns),
    audited(call, 'event changed'),
  ])
  return theOne(stored)
})

/**
 * Changes only the texts that are given, in one write: concurrent changes of other texts stay.
 * @throws UserError 'changed-meanwhile' when only a certain revision was to be changed and there is another.
 */
export const changeEventTexts = operation(
  eventTexts,
  async ({ onlyIfRevision, ...texts }, call): Promise<StoredEvent> => {
    const change = { ...texts, revision: nextRevision(call.now) }
    if (onlyIfRevision !== undefined) {
      const [changed] = await db.batch([
        db.update(events).set(change).where(isRevision(onlyIfRevision)).returning(eventColumns),
        auditedIfChanged(call, 'event changed', Object.keys(texts).join(' ')),
      ])
      if (changed[0] === undefined)
        throw new UserError('changed-meanwhile', 'The event was changed meanwhile. Load it again, then change it.')
      return toStoredEvent(changed[0])
    }
    const [stored] = await db.batch([
      db
        .insert(events)
        .values({ ...whole(toPayload(defaultEvent)), ...texts, revision: nextRevision(call.now) })
        .onConflictDoUpdate({ target: events.id, set: change })
        .returning(eventColumns),
      audited(call, 'event changed', Object.keys(texts).join(' ')),
    ])
    return theOne(stored)
  },
)

type EventRow = Required<EventPayload> & { revision: number }

function theOne([row]: EventRow[]): StoredEvent {
  if (row === undefined) throw new Error('The event was stored and then not found.')
  return toStoredEvent(row)
}

function toStoredEvent({ revision, mapLink, contact, whatToExpect, ...texts }: EventRow): StoredEvent {
  return { event: { ...texts, ...givenTexts({ mapLink, contact, whatToExpect }) }, revision }
}

function isRevision(revisions: number[] | 'any') {
  return revisions === 'any' ? eq(events.id, 1) : inArray(events.revision, revisions)
}

function whole(payload: EventPayload): StoredEvent['event'] {
  return { ...payload, eventTitle: payload.eventTitle ?? defaultEvent.eventTitle }
}
