import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import { type EventContent, requiredTexts, toContent } from '#db/values/event-content.ts'
import { request, revisionOf } from '#site/lib/request.ts'

/** The event on the server, with its revision unless a proxy removed that. */
export type KnownEvent = { content: EventContent; revision: number | undefined }

export type EventStore = {
  content: EventContent | null
  /** The content has been loaded once on this device. */
  hydrated: boolean
  /** The server does not have a change made here yet. */
  unsent: boolean
  /** The event on the server when that change was begun; undefined if it had none, or unknown. */
  known?: KnownEvent | undefined
}

/** The state of sending a change on this page; in a conflict someone else has saved the event since it was begun. */
export type EventSync = 'idle' | 'sending' | 'unsent' | 'signed out' | 'conflict'

const initialState: EventStore = { content: null, hydrated: false, unsent: false }

/**
 * The last known event of this device, in local storage. Read it only after `$eventStarted`. Between tabs the last
 * write wins; the server refuses a change that is based on an older revision.
 */
export const $event = persistentAtom<EventStore>('event-store', initialState, {
  encode: JSON.stringify,
  decode: decodeEvent,
})

/** From now on the store is shown instead of the server's first page. */
export const $eventStarted = atom(false)

export const $eventSync = atom<EventSync>('idle')

/** Adopts the server's event, or a default if it has none, unless a change made here is unsent. */
export function showEvent(known: KnownEvent | undefined, content = known?.content ?? null): void {
  if ($event.get().unsent) return
  $event.set({ content, hydrated: true, unsent: false, known })
}

/** Undefined if nothing is stored yet. */
export async function readStoredEvent(): Promise<KnownEvent | undefined> {
  const response = await request('GET /api/event')
  const stored = await response.json()
  return stored === null ? undefined : { content: toContent(stored), revision: revisionOf(response) }
}

/** Ignores data that another program left under the same key. */
export function decodeEvent(text: string): EventStore {
  try {
    const { content, hydrated, unsent, known }: Partial<EventStore> = JSON.parse(text)
    if (!isContent(content)) return initialState
    return {
      content,
      hydrated: hydrated === true,
      unsent: unsent === true,
      known: isContent(known?.content) ? known : undefined,
    }
  } catch {
    return initialState
  }
}

/** Whether all required texts are there; the optional ones may be missing. */
export function isContent(content: unknown): content is EventContent {
  const given = Object(content)
  return [...requiredTexts, ...Object.keys(given)].every((name) => typeof Reflect.get(given, name) === 'string')
}
