import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import { defaultEvent, type EventContent } from '#db/event/content.ts'
import { toContent, toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'

type EventStore = {
  content: EventContent | null
  /** The content has been loaded once on this device. */
  hydrated: boolean
  /** A change made here that the server does not have yet. */
  unsent: boolean
}

const nothingKnown: EventStore = { content: null, hydrated: false, unsent: false }

/** The last known event of this device, kept in local storage. Read it only after `$eventStarted`. */
export const $event = persistentAtom<EventStore>('event-store', nothingKnown, { encode: JSON.stringify, decode })

/** The app has started: from here on the store, not the server's first page, is what is shown. */
export const $eventStarted = atom(false)

/**
 * Initialises the event, once per page: an unsent change is sent; otherwise the server's event is read, and the
 * default posted where there is none.
 * @param rendered what the server drew, null where it could not read it.
 */
export async function initializeEvent(rendered: EventContent | null, mayEdit: boolean): Promise<void> {
  if ($eventStarted.get()) return
  const { unsent, content } = $event.get()
  if (!unsent && rendered !== null) show(rendered)
  else if (content !== null) $event.set({ ...$event.get(), hydrated: true })
  $eventStarted.set(true)
  if (unsent && content !== null && mayEdit) return send()
  try {
    await loadEvent(mayEdit)
  } catch (error) {
    console.error('Failed to initialize event', error)
  }
}

/** Saves the draft as content at once, then sends it. If that fails, the change stays and is sent at the next start. */
export async function changeEvent(draft: EventContent): Promise<void> {
  $event.set({ content: toContent(toPayload(draft)), hydrated: true, unsent: true })
  changes += 1
  await send()
}

/** How often the event was changed on this page: a reading that began before a change knows nothing of it. */
let changes = 0
let sending = Promise.resolve()

/** One change after the other, so that the last one made is the last one stored. */
function send(): Promise<void> {
  sending = sending.then(syncEvent)
  return sending
}

async function syncEvent(): Promise<void> {
  const { content, unsent } = $event.get()
  if (content === null || !unsent) return
  try {
    await request('/api/event', { method: 'POST', body: toPayload(content) })
    // A newer change made meanwhile is still unsent.
    if ($event.get().content === content) $event.set({ ...$event.get(), unsent: false })
  } catch (error) {
    console.error('Failed to sync event details', error)
  }
}

async function loadEvent(mayEdit: boolean): Promise<void> {
  const changesBefore = changes
  const stored: EventPayload | null = await (await request('/api/event')).json()
  if (changes !== changesBefore) return
  show(stored === null ? defaultEvent : toContent(stored))
  if (stored === null && mayEdit && !(await storeDefaultEvent())) await loadEvent(false)
}

/** Only if there is still none: a slow visitor must not overwrite what somebody has written meanwhile. */
async function storeDefaultEvent(): Promise<boolean> {
  const onlyIfNone = { 'If-None-Match': '*' }
  try {
    await request('/api/event', { method: 'POST', body: toPayload(defaultEvent), headers: onlyIfNone })
    return true
  } catch (error) {
    if (error instanceof ResponseError && error.status === 412) return false
    throw error
  }
}

function show(content: EventContent): void {
  if (!$event.get().unsent) $event.set({ content, hydrated: true, unsent: false })
}

/** What another program, or an older version, left under the same key counts as nothing. */
function decode(text: string): EventStore {
  try {
    const { content, hydrated, unsent }: Partial<EventStore> = JSON.parse(text)
    const known = Object.keys(defaultEvent).every((name) => typeof Reflect.get(content ?? {}, name) === 'string')
    return known && content ? { content, hydrated: hydrated === true, unsent: unsent === true } : nothingKnown
  } catch {
    return nothingKnown
  }
}
