import { followOutbox } from '#site/stores/kept-rsvps.ts'

/** Registers the worker, which only a build has, unless the visitor saves data; sends the RSVPs that this device keeps. */
export function startWorker(): void {
  const { connection } = navigator as { connection?: { saveData: boolean } }
  if (import.meta.env.PROD && !connection?.saveData) navigator.serviceWorker?.register('/worker.js').catch(() => {})
  followOutbox()
}
