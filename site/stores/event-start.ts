import { tryLater } from '#site/lib/request.ts'
import { $event, $eventStarted, $eventSync, type KnownEvent, readStoredEvent, showEvent } from './event.ts'

/**
 * Initializes the event, once per page: sends an unsent change, or else reads the server's event, and posts the default
 * if there is none.
 * @param rendered the event that the server drew, or null.
 */
export async function initializeEvent(rendered: KnownEvent | null, mayEdit: boolean): Promise<void> {
  if ($eventStarted.get()) return
  const { unsent, content } = $event.get()
  if (!unsent && rendered !== null) showEvent(rendered)
  else if (content !== null) $event.set({ ...$event.get(), hydrated: true })
  $eventStarted.set(true)
  if (unsent && !mayEdit) $eventSync.set('signed out')
  await loadEvent(rendered !== null, mayEdit)
}

/** @param drawn whether an event is shown meanwhile: then a failed read is not tried again. */
async function loadEvent(drawn: boolean, mayEdit: boolean): Promise<void> {
  try {
    if (mayEdit && $event.get().unsent) return (await loadChanges()).sendKeptEvent()
    await readEvent(mayEdit)
  } catch (error) {
    console.error('Failed to initialize event', error)
    if (!drawn) tryLater('/api/event', () => loadEvent(drawn, mayEdit))
  }
}

async function readEvent(mayEdit: boolean): Promise<void> {
  const before = $event.get()
  const stored = await readStoredEvent()
  // A read that began before a change does not include it.
  if ($event.get() !== before) return
  // E.g. on the first day nothing is stored.
  showEvent(stored, stored?.content ?? (await import('#db/values/default-event.ts')).defaultEvent)
  if (stored !== undefined || !mayEdit) return
  const { storeDefaultEvent } = await loadChanges()
  if (!(await storeDefaultEvent())) await readEvent(false)
}

/** Loaded on demand, because visitors do not need it. */
function loadChanges() {
  return import('./admin/event-changes.ts')
}
