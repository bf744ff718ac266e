import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import { type EventContent, requiredTexts, toContent } from '#db/event/content.ts'
import { request, revisionOf } from '#site/lib/request.ts'

/** What the server had, and which revision of it: undefined where that is not told. */
export type KnownEvent = { content: EventContent; revision: number | undefined }

export type EventStore = {
  content: EventContent | null
  /** The content has been loaded once on this device. */
  hydrated: boolean
  /** A change made here that the server does not have yet. */
  unsent: boolean
  /** What the server had when that change was begun; undefined where it had nothing, or that is not known. */
  known?: KnownEvent | undefined
}

/** Where sending a change stands on this page. */
export type EventSync =
  | { state: 'idle' | 'sending' }
  | { state: 'unsent'; signedOut: boolean }
  /** Another administrator has changed the event since the change was begun. */
  | { state: 'conflict'; theirs: KnownEvent }

const initialState: EventStore = { content: null, hydrated: false, unsent: false }

/**
 * The last known event of this device, kept in local storage. Read it only after `$eventStarted`. Of two tabs the one that
 * writes last wins here; the server refuses a change that was made of an older revision than it has.
 */
export const $event = persistentAtom<EventStore>('event-store', initialState, {
  encode: JSON.stringify,
  decode: decodeEvent,
})

/** The app has started: from here on the store, not the server's first page, is what is shown. */
export const $eventStarted = atom(false)

export const $eventSync = atom<EventSync>({ state: 'idle' })

/** Takes over what the server has, or a default where it has nothing, unless a change made here is still to be sent. */
export function showEvent(known: KnownEvent | undefined, content = known?.content ?? null): void {
  if ($event.get().unsent) return
  $event.set({ content, hydrated: true, unsent: false, known })
}

/** What the server has; undefined where nothing is stored yet. */
export async function readStoredEvent(): Promise<KnownEvent | undefined> {
  const response = await request('GET /api/event')
  const stored = await response.json()
  return stored === null ? undefined : { content: toContent(stored), revision: revisionOf(response) }
}

/** Data that another program or an older version left under the same key is ignored. */
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

/** Whether it has all the texts of an event; the optional ones may be missing. */
export function isContent(content: unknown): content is EventContent {
  const given = Object(content)
  return [...requiredTexts, ...Object.keys(given)].every((name) => typeof Reflect.get(given, name) === 'string')
}
