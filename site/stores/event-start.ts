import { tryLater } from '#site/lib/request.ts'
import { $event, $eventStarted, $eventSync, type KnownEvent, readStoredEvent, showEvent } from './event.ts'

/**
 * Initializes the event, once per page: sends an unsent change, or else reads the event of the server, and posts the
 * default event if the server has none.
 * @param rendered the event that the server rendered, or null.
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

/** @param isRendered whether the page shows an event meanwhile. If not, a failed read is retried. */
async function loadEvent(isRendered: boolean, mayEdit: boolean): Promise<void> {
  try {
    if (mayEdit && $event.get().unsent) return (await loadChanges()).sendKeptEvent()
    await readEvent(mayEdit)
  } catch (error) {
    console.error('Failed to initialize event', error)
    if (!isRendered) tryLater('/api/event', () => loadEvent(isRendered, mayEdit))
  }
}

async function readEvent(mayEdit: boolean): Promise<void> {
  const before = $event.get()
  const stored = await readStoredEvent()
  // A read that began before a change does not include that change.
  if ($event.get() !== before) return
  showEvent(stored, stored?.content ?? (await import('#db/values/default-event.ts')).defaultEvent)
  if (stored !== undefined || !mayEdit) return
  const { storeDefaultEvent } = await loadChanges()
  if (!(await storeDefaultEvent())) await readEvent(false)
}

/** Loaded on demand, because visitors do not need the module. */
function loadChanges() {
  return import('./admin/event-changes.ts')
}
