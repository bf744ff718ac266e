import { defaultEvent, type EventContent } from '#db/event/content.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { toContent } from '#db/event/to-content.ts'
import { type Options, ResponseError, request, revisionOf } from '#site/lib/request.ts'
import { $event, $eventSync, type EventStore, type KnownEvent } from '../event.ts'

let sending = Promise.resolve()

/**
 * Saves the draft as content at once, then sends it. If that fails, the change stays on this device.
 * @param begun the store when the draft was made of it.
 */
export async function changeEvent(draft: EventContent, begun: EventStore = $event.get()): Promise<void> {
  const now = $event.get()
  // What this page sent meanwhile is in the draft; what came from another tab is not.
  const known = isSame(now.content, begun.content) ? now.known : begun.known
  $event.set({ content: toContent(toPayload(draft)), hydrated: true, unsent: true, known })
  await sendEvent()
}

/** Ends a conflict with the texts that were chosen. */
export async function settleEvent(chosen: EventContent, theirs: KnownEvent): Promise<void> {
  const unsent = !isSame(chosen, theirs.content)
  $event.set({ content: chosen, hydrated: true, unsent, known: theirs })
  if (unsent) await sendEvent()
  else $eventSync.set({ state: 'idle' })
}

/** One change after the other, so that the last one made is the last one stored. */
export function sendEvent(): Promise<void> {
  sending = sending.then(syncEvent)
  return sending
}

/** Only if there is still none: a slow visitor must not overwrite what somebody has written meanwhile. */
export async function storeDefaultEvent(): Promise<boolean> {
  try {
    const before = $event.get()
    const known = await post(defaultEvent, undefined)
    if ($event.get() === before) $event.set({ ...before, known })
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

async function syncEvent(): Promise<void> {
  const { content, unsent, known } = $event.get()
  if (content === null || !unsent) return
  $eventSync.set({ state: 'sending' })
  try {
    const stored = await post(content, known)
    const now = $event.get()
    // A newer change made meanwhile is still unsent; it was made of what is stored now.
    $event.set({ ...now, unsent: !isSame(now.content, content), known: stored })
    $eventSync.set({ state: 'idle' })
  } catch (error) {
    console.error('Failed to sync event details', error)
    $eventSync.set({ state: 'unsent', signedOut: error instanceof ResponseError && error.status === 401 })
    if (isConflict(error)) await compare(content)
  }
}

/**
 * Where the revision is known only what was changed is sent, for that revision alone; where nothing is stored, or may
 * be, the whole event, for the case that nothing is; where a proxy took the revision away, as specified.
 */
async function post(content: EventContent, known: KnownEvent | undefined): Promise<KnownEvent> {
  const response = await request('/api/event', { method: 'POST', ...postOf(toPayload(content), known) })
  // Its body is not read: a request that is never read to its end counts as under way.
  response.body?.cancel()
  return { content, revision: revisionOf(response) }
}

function postOf(body: EventPayload, known: KnownEvent | undefined): Options {
  if (known === undefined) return { body, headers: { 'If-None-Match': '*' } }
  if (known.revision === undefined) return { body }
  const before = Object.entries(toPayload(known.content))
  const changed = Object.entries(body).filter(
    ([name, text]) => !before.some((one) => one[0] === name && one[1] === text),
  )
  // Saving without a change is sent as well, as specified.
  return {
    body: changed.length > 0 ? Object.fromEntries(changed) : body,
    headers: { 'If-Match': `"${known.revision}"` },
  }
}

/** Finds out what somebody else has stored; it may be our own change, whose answer was lost. */
async function compare(content: EventContent): Promise<void> {
  try {
    const response = await request('/api/event')
    const stored: EventPayload | null = await response.json()
    if (stored === null) return
    const theirs = { content: toContent(stored), revision: revisionOf(response) }
    if (isSame(theirs.content, content)) await settleEvent(content, theirs)
    else $eventSync.set({ state: 'conflict', theirs })
  } catch (error) {
    console.error('Failed to sync event details', error)
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 412
}

function isSame(one: EventContent | null, other: EventContent | null): boolean {
  return (
    one === other ||
    (one !== null && other !== null && Object.entries(one).every(([name, text]) => Reflect.get(other, name) === text))
  )
}
