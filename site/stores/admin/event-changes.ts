import pLimit from 'p-limit'
import type { EventContent } from '#db/event/content.ts'
import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { type Options, ResponseError, request, revisionOf } from '#site/lib/request.ts'
import { sessionDraft } from '#site/lib/session.ts'
import {
  $event,
  $eventSync,
  decodeEvent,
  type EventStore,
  isContent,
  type KnownEvent,
  readStoredEvent,
} from '#site/stores/event.ts'
import { t } from '#site/texts/texts.ts'
import { addToast } from '../toasts.ts'
import { differing } from './changeable.ts'

/** The texts of the event being edited, and the state of the store when the edit began. */
export type EventDraft = { texts: EventContent; begun: EventStore }

export const eventDraft = sessionDraft<EventDraft>('event-draft', (text) => {
  const { texts, begun } = JSON.parse(text)
  return isContent(texts) ? { texts, begun: decodeEvent(JSON.stringify(begun)) } : undefined
})

/** The draft of this tab, or a new one of the current event. */
export function beginDraft(): EventDraft | undefined {
  const begun = $event.get()
  return eventDraft.restore() ?? (begun.content ? { texts: begun.content, begun } : undefined)
}

/** One change at a time, so that the last one made is stored last. */
const enqueue = pLimit(1)

/** The last change of this page. Compared by identity: a change from another tab is never this object. */
let lastChange: EventContent | undefined

$event.listen(({ unsent }) => {
  // Another tab has sent or resolved the change.
  if (!unsent && $eventSync.get().state !== 'sending') $eventSync.set({ state: 'idle' })
})

/**
 * Keeps the draft on this device at once, then sends it. If that fails, it stays unsent.
 * @param begun the state of the store when the edit began.
 */
export async function changeEvent(draft: EventContent, begun: EventStore = $event.get()): Promise<void> {
  const now = $event.get()
  lastChange = toContent(toPayload(draft))
  // The draft includes what this page sent meanwhile, but not what came from elsewhere.
  const known = isSame(now.content, begun.content) ? now.known : begun.known
  $event.set({ content: lastChange, hydrated: true, unsent: true, known })
  await sendEvent()
}

export async function resolveConflict(chosen: EventContent, theirs: KnownEvent): Promise<void> {
  const unsent = !isSame(chosen, theirs.content)
  $event.set({ content: chosen, hydrated: true, unsent, known: theirs })
  if (unsent) await sendEvent()
}

export function sendEvent(): Promise<void> {
  return enqueue(syncEvent)
}

/** Only if none is stored: a slow page must not overwrite another administrator's event. */
export function storeDefaultEvent(): Promise<boolean> {
  return enqueue(async () => {
    try {
      const known = await postEvent(defaultEvent, undefined)
      // A change made meanwhile is based on the default too, and is sent next.
      const now = $event.get()
      if (now.known === undefined) $event.set({ ...now, known })
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  })
}

async function syncEvent(): Promise<void> {
  const { content, unsent, known } = $event.get()
  if (content === null || !unsent) return
  $eventSync.set({ state: 'sending' })
  try {
    takeAsStored(content, await postEvent(content, known))
    addToast({ title: t('Event Saved'), description: t('Visitors see it now.') })
  } catch (error) {
    console.error('Failed to sync event details', error)
    $eventSync.set({ state: 'unsent', signedOut: error instanceof ResponseError && error.status === 401 })
    if (isConflict(error)) await compare(content, known)
  }
}

/** A change made meanwhile stays unsent. If this page made it, it is based on `stored`. */
function takeAsStored(content: EventContent, stored: KnownEvent): void {
  const now = $event.get()
  const isStored = isSame(now.content, content)
  if (isStored || now.content === lastChange) $event.set({ ...now, unsent: !isStored, known: stored })
  $eventSync.set({ state: 'idle' })
}

/** After a conflict: either another administrator's change is stored, or our own, whose reply was lost. */
async function compare(content: EventContent, known: KnownEvent | undefined): Promise<void> {
  try {
    const theirs = await readStoredEvent()
    if (theirs === undefined) {
      // Gone from the server, e.g. because its database was replaced: sent once more, as new.
      if (known === undefined) return
      $event.set({ ...$event.get(), known: undefined })
      return await syncEvent()
    }
    if (isSame(theirs.content, content)) return takeAsStored(content, theirs)
    // Another tab may have written a change over it: the refused one must not be lost.
    const now = $event.get()
    $event.set({ ...now, content: now.content === lastChange ? now.content : content, unsent: true, known })
    $eventSync.set({ state: 'conflict', theirs })
  } catch (error) {
    console.error('Failed to sync event details', error)
  }
}

/**
 * Sends the changed texts for the known revision alone; the whole event on condition that none is stored, if none is
 * known; and without a condition, as specified, if a proxy removed the revision.
 */
async function postEvent(content: EventContent, known: KnownEvent | undefined): Promise<KnownEvent> {
  const response = await request('POST /api/event', postOf(toPayload(content), known))
  // An unread body would keep the request open.
  response.body?.cancel()
  return { content, revision: revisionOf(response) }
}

function postOf(texts: EventPayload, known: KnownEvent | undefined): Options<'POST /api/event'> {
  if (known === undefined) return { body: texts, headers: { 'If-None-Match': '*' } }
  const before = toPayload(known.content)
  // A text that is left out keeps its stored value, so a removed one is sent as an empty one.
  const removed = Object.keys(before).filter((name) => !(name in texts))
  const body = { ...Object.fromEntries(removed.map((name) => [name, ''])), ...texts }
  if (known.revision === undefined) return { body }
  const changed = differing(body, before)
  // Saving without a change is sent as well, as specified.
  return { body: Object.keys(changed).length > 0 ? changed : body, headers: { 'If-Match': `"${known.revision}"` } }
}

/** A missing text counts as an empty one. */
function isSame(one: EventContent | null, other: EventContent | null): boolean {
  if (one === null || other === null) return one === other
  const names = Object.keys({ ...one, ...other })
  return names.every((name) => (Reflect.get(one, name) ?? '') === (Reflect.get(other, name) ?? ''))
}

function isConflict(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 412
}
