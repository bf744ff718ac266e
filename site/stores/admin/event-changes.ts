import type { EventContent } from '#db/event/content.ts'
import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { toPayload } from '#db/event/payload.ts'
import { ResponseError } from '#site/lib/request.ts'
import { $event, $eventSync, type EventStore, type KnownEvent } from '#site/stores/event.ts'
import { t } from '#site/texts/texts.ts'
import { readStoredEvent } from '../stored-event.ts'
import { addToast } from '../toasts.ts'
import { latestEvent } from './latest-event.ts'
import { postEvent } from './post-event.ts'
import { createQueue } from './queue.ts'
import { isSame } from './same-content.ts'

const enqueue = createQueue()

$event.listen(({ unsent, others = [] }, before) => {
  // Where another tab has sent or resolved the change, there is nothing left to show here.
  if (!unsent && $eventSync.get().state !== 'sending') $eventSync.set({ state: 'idle' })
  // The choice between two tabs has ended, in either of them: the change need not wait any longer.
  if (unsent && others.length === 0 && before?.others?.length) sendEvent()
})

/**
 * Saves the draft as content at once, then sends it. If that fails, the change stays on this device.
 * @param begun the store when the draft was made of it.
 */
export async function changeEvent(draft: EventContent, begun: EventStore = $event.get()): Promise<void> {
  const content = toContent(toPayload(draft))
  const now = latestEvent()
  const changed = { ...now, content, hydrated: true, unsent: true }
  // What this page sent meanwhile is in the draft; what came from another tab is not.
  if (isSame(now.content, begun.content)) $event.set(changed)
  else $event.set({ ...changed, known: older(begun.known, now.known), others: keepOther(now, content) })
  await sendEvent()
}

/** Ends a conflict with the texts that were chosen. */
export async function resolveConflict(chosen: EventContent, theirs: KnownEvent): Promise<void> {
  const unsent = !isSame(chosen, theirs.content)
  $event.set({ content: chosen, hydrated: true, unsent, known: theirs })
  if (unsent) await sendEvent()
}

/** Ends the choice between the change that is shown and one of another tab; what was chosen is sent after the last. */
export async function resolveTabs(chosen: EventContent, other: EventContent): Promise<void> {
  const now = latestEvent()
  $event.set({ ...now, content: chosen, others: without(other, now.others) })
  await enqueue(async () => {})
}

/** One change after the other, so that the last one made is the last one stored. */
export function sendEvent(): Promise<void> {
  return enqueue(syncEvent)
}

/** Only if there is still none: a slow page must not overwrite what another administrator has stored meanwhile. */
export function storeDefaultEvent(): Promise<boolean> {
  return enqueue(async () => {
    try {
      const known = await postEvent(defaultEvent, undefined)
      // A change made meanwhile was made of the default too, and is sent next.
      const now = latestEvent()
      if (now.known === undefined) $event.set({ ...now, known })
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  })
}

async function syncEvent(): Promise<void> {
  const { content, unsent, known, others = [] } = $event.get()
  if (content === null || !unsent || others.length > 0) return
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

/** A newer change made meanwhile is still unsent. Made on this page, it was made of what is stored now. */
function takeAsStored(content: EventContent, stored: KnownEvent): void {
  const now = latestEvent()
  const others = without(content, now.others)
  const isReplaced = others?.length !== now.others?.length
  const known = isReplaced ? now.known : stored
  $event.set({ ...now, unsent: !isSame(now.content, content), known, others })
  $eventSync.set({ state: 'idle' })
}

/** Reads what is stored: a change of another administrator, or our own, whose reply was lost. */
async function compare(content: EventContent, known: KnownEvent | undefined): Promise<void> {
  try {
    const theirs = await readStoredEvent()
    if (theirs === undefined) return await sendAsNew(known)
    if (isSame(theirs.content, content)) takeAsStored(content, theirs)
    else $eventSync.set({ state: 'conflict', theirs })
  } catch (error) {
    console.error('Failed to sync event details', error)
  }
}

/** What was changed is gone from the server, e.g. after its database was replaced. */
async function sendAsNew(known: KnownEvent | undefined): Promise<void> {
  // Refused although it was sent as new: nothing is known that would help.
  if (known === undefined) return
  $event.set({ ...latestEvent(), known: undefined })
  await syncEvent()
}

/** What another tab has left unsent is kept beside what takes its place. */
function keepOther(now: EventStore, content: EventContent): EventContent[] | undefined {
  if (!now.unsent || now.content === null || isSame(now.content, content)) return now.others
  return [...(now.others ?? []), now.content]
}

function without(content: EventContent, others: EventContent[] | undefined): EventContent[] | undefined {
  return others?.filter((other) => !isSame(other, content))
}

/** The server refuses a change for the older one if there is a newer: then nothing is overwritten unseen. */
function older(one: KnownEvent | undefined, other: KnownEvent | undefined): KnownEvent | undefined {
  return (one?.revision ?? 0) <= (other?.revision ?? 0) ? one : other
}

function isConflict(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 412
}
