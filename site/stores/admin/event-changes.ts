import pLimit from 'p-limit'
import { defaultEvent } from '#db/values/default-event.ts'
import type { EventPayload } from '#db/values/event.ts'
import { type EventContent, toContent } from '#db/values/event-content.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { type Options, ResponseError, request, revisionOf } from '#site/lib/request.ts'
import { keptIn } from '#site/lib/storage.ts'
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
import { addErrorToast, addToast } from '../toasts.ts'
import { differing } from './changeable.ts'

/** The texts of the event being edited, and the state of the store when the edit began. */
export type EventDraft = { texts: EventContent; begun: EventStore }

export const eventDraft = keptIn<EventDraft>('sessionStorage', 'event-draft', (text) => {
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

$event.listen(({ unsent }) => {
  // Another tab has sent the change.
  if (!unsent && $eventSync.get() !== 'sending') $eventSync.set('idle')
})

/**
 * Keeps the draft on this device at once, then sends it. If that fails, it stays unsent.
 * @param begun the state of the store when the edit began.
 */
export async function changeEvent(draft: EventContent, begun: EventStore = $event.get()): Promise<void> {
  const now = $event.get()
  // The draft includes what this page sent meanwhile, but not what came from elsewhere.
  const known = isSame(now.content, begun.content) ? now.known : begun.known
  $event.set({ content: toContent(toPayload(draft)), hydrated: true, unsent: true, known })
  await sendEvent()
}

export async function sendEvent(): Promise<void> {
  await enqueue(syncEvent)
}

/** Sends what an earlier page could not. If someone else has saved the event since, that text becomes a draft of theirs. */
export async function sendKeptEvent(): Promise<void> {
  const theirs = await enqueue(syncEvent)
  const { content } = $event.get()
  if (!theirs || content === null) return
  const begun = { content: theirs.content, hydrated: true, unsent: false, known: theirs }
  // A draft that was begun since then includes that text.
  if (!eventDraft.restore()) eventDraft.keep({ texts: content, begun })
  $event.set(begun)
  addErrorToast(t('Someone else has saved the event. Your text is kept: press Edit to go on with it.'))
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

/** @returns someone else's event, which was saved since the change was begun. */
async function syncEvent(): Promise<KnownEvent | undefined> {
  const { content, unsent, known } = $event.get()
  if (content === null || !unsent) return undefined
  $eventSync.set('sending')
  try {
    takeAsStored(content, await postEvent(content, known))
    addToast({ title: t('Event Saved'), description: t('Visitors see it now.') })
    return undefined
  } catch (error) {
    console.error('Failed to sync event details', error)
    $eventSync.set(error instanceof ResponseError && error.status === 401 ? 'signed out' : 'unsent')
    return isConflict(error) ? findTheirs(content) : undefined
  }
}

/** A change made meanwhile stays unsent. */
function takeAsStored(content: EventContent, stored: KnownEvent): void {
  const now = $event.get()
  $event.set({ ...now, unsent: !isSame(now.content, content), known: stored })
  $eventSync.set('idle')
}

/** After a 412: either someone else's event is stored, or our own, whose reply was lost. */
async function findTheirs(content: EventContent): Promise<KnownEvent | undefined> {
  const stored = await readStoredEvent().catch(() => null)
  if (stored === null) return undefined
  const theirs = stored ?? { content: defaultEvent, revision: undefined }
  if (isSame(theirs.content, content)) {
    takeAsStored(content, theirs)
    return undefined
  }
  $eventSync.set('conflict')
  return theirs
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
