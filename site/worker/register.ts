import { followOutbox } from '#site/stores/outbox.ts'

/** Registers the worker, unless the visitor saves data, and sends the RSVPs that this device keeps. */
export function startWorker(): void {
  const { connection } = navigator as { connection?: { saveData: boolean } }
  if (!connection?.saveData) navigator.serviceWorker?.register('/worker.js').catch(() => {})
  followOutbox()
}
