import { $event, decodeEvent, EVENT_STORE, type EventStore } from '#site/stores/event.ts'

/** The event as the last tab has written it: this page may not have been told yet, and must not write over it. */
export function latestEvent(): EventStore {
  const known = $event.get()
  const written = decodeEvent(readLocal(EVENT_STORE))
  return written.content === null ? known : written
}

/** Empty where there is nothing, or the browser keeps nothing for sites: then this page knows best. */
function readLocal(name: string): string {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
