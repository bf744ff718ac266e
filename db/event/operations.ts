import { getTableColumns } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audited, auditedIfChanged } from '../audit/entry.ts'
import { db } from '../client.ts'
import { UserError } from '../errors.ts'
import { operation } from '../operation.ts'
import { defaultEvent } from './content.ts'
import { toPayload } from './payload.ts'
import { type EventPayload, eventPayload, eventTexts } from './schema.ts'
import { events } from './table.ts'

const { id: _id, ...eventColumns } = getTableColumns(events)

/** The stored event, or null while nothing is stored. */
export const getEvent = operation(z.unknown(), async (): Promise<EventPayload | null> => {
  const [event] = await db.select(eventColumns).from(events)
  return event ?? null
})

/**
 * Stores the event. Without `eventTitle` the stored one stays.
 * @throws UserError 'already-exists' when only a first event was wanted and there is one.
 */
export const changeEvent = operation(eventPayload, async (payload, call): Promise<EventPayload> => {
  const row = whole(payload)
  const insert = db.insert(events).values(row)
  if (call.onlyIfNone) {
    const [added] = await db.batch([
      insert.onConflictDoNothing().returning(eventColumns),
      auditedIfChanged(call, 'event changed'),
    ])
    if (added[0] === undefined)
      throw new UserError('already-exists', 'There is an event already. Load it, then change it.')
    return added[0]
  }
  const { eventTitle, ...texts } = payload
  const change = eventTitle === undefined ? texts : payload
  const [stored] = await db.batch([
    insert.onConflictDoUpdate({ target: events.id, set: change }).returning(eventColumns),
    audited(call, 'event changed'),
  ])
  return stored[0] ?? row
})

/** Changes only the texts that are given, in one write: what somebody else changes meanwhile stays. */
export const changeEventTexts = operation(eventTexts, async (texts, call): Promise<EventPayload> => {
  const [stored] = await db.batch([
    db
      .insert(events)
      .values({ ...whole(toPayload(defaultEvent)), ...texts })
      .onConflictDoUpdate({ target: events.id, set: texts })
      .returning(eventColumns),
    audited(call, 'event changed', Object.keys(texts).join(' ')),
  ])
  const [event] = stored
  if (event === undefined) throw new Error('The event was stored and then not found.')
  return event
})

function whole(payload: EventPayload): Required<EventPayload> {
  return { ...payload, eventTitle: payload.eventTitle ?? defaultEvent.eventTitle }
}
