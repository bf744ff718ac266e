import { tryLater } from '#site/lib/request.ts'
import { $event, $eventStarted, $eventSync, type KnownEvent, readStoredEvent, showEvent } from './event.ts'

/**
 * Initializes the event, once per page: an unsent change is sent; otherwise the server's event is read, and the
 * default posted where there is none.
 * @param rendered what the server drew: null where it drew none.
 */
export async function initializeEvent(rendered: KnownEvent | null, mayEdit: boolean): Promise<void> {
  if ($eventStarted.get()) return
  const { unsent, content } = $event.get()
  if (!unsent && rendered !== null) showEvent(rendered)
  else if (content !== null) $event.set({ ...$event.get(), hydrated: true })
  $eventStarted.set(true)
  if (unsent && !mayEdit) $eventSync.set({ state: 'unsent', signedOut: true })
  await loadEvent(rendered !== null, mayEdit)
}

/** @param drawn there is something to show meanwhile: what cannot be read is then not asked for again. */
async function loadEvent(drawn: boolean, mayEdit: boolean): Promise<void> {
  try {
    if (mayEdit && $event.get().unsent) return (await loadChanges()).sendEvent()
    await readEvent(mayEdit)
  } catch (error) {
    console.error('Failed to initialize event', error)
    if (!drawn) tryLater('/api/event', () => loadEvent(drawn, mayEdit))
  }
}

async function readEvent(mayEdit: boolean): Promise<void> {
  const before = $event.get()
  const stored = await readStoredEvent()
  // A reading that began before a change knows nothing of it.
  if ($event.get() !== before) return
  // Nothing is stored e.g. on the first day.
  showEvent(stored, stored?.content ?? (await import('#db/event/default-event.ts')).defaultEvent)
  if (stored !== undefined || !mayEdit) return
  const { storeDefaultEvent } = await loadChanges()
  if (!(await storeDefaultEvent())) await readEvent(false)
}

/** What visitors do not need is loaded by those who change something. */
function loadChanges() {
  return import('./admin/event-changes.ts')
}
