import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import { type EventContent, requiredTexts, toContent } from '#db/values/event-content.ts'
import { request, revisionOf } from '#site/lib/request.ts'

/** The event on the server, with its revision unless a proxy removed that. */
export type KnownEvent = { content: EventContent; revision: number | undefined }

export type EventStore = {
  content: EventContent | null
  /** Whether this device has loaded the content before. */
  hydrated: boolean
  /** Whether the content has a change that the server does not have yet. */
  unsent: boolean
  /** The event on the server when the change was begun; undefined if there was none, or if it is unknown. */
  known?: KnownEvent | undefined
}

/** The state of sending a change. 'conflict': someone else has saved the event since the change was begun. */
export type EventSync = 'idle' | 'sending' | 'unsent' | 'signed out' | 'conflict'

const initialState: EventStore = { content: null, hydrated: false, unsent: false }

/**
 * The last event known on this device, in local storage. Read it only once `$eventStarted` is true. Of several tabs, the
 * last to write wins. The server refuses a change that is based on an older revision.
 */
export const $event = persistentAtom<EventStore>('event-store', initialState, {
  encode: JSON.stringify,
  decode: decodeEvent,
})

/** Whether the page shows `$event` instead of the event that the server rendered. */
export const $eventStarted = atom(false)

export const $eventSync = atom<EventSync>('idle')

/** Shows the event of the server, or the given content if it has none, unless this device has an unsent change. */
export function showEvent(known: KnownEvent | undefined, content = known?.content ?? null): void {
  if ($event.get().unsent) return
  $event.set({ content, hydrated: true, unsent: false, known })
}

/** The event on the server; undefined if none is stored. */
export async function readStoredEvent(): Promise<KnownEvent | undefined> {
  const response = await request('GET /api/event')
  const stored = await response.json()
  return stored === null ? undefined : { content: toContent(stored), revision: revisionOf(response) }
}

/** Returns the initial state for anything that another program has stored. */
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

/** Whether all required texts are present, and everything present is a text. */
export function isContent(content: unknown): content is EventContent {
  if (!(content instanceof Object)) return false
  return [...requiredTexts, ...Object.keys(content)].every((name) => typeof Reflect.get(content, name) === 'string')
}
