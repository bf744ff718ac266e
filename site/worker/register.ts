import { followOutbox } from '#site/stores/outbox.ts'

/** Lets the worker keep a copy of the page, unless the visitor saves data, and sends what this device keeps. */
export function startWorker(): void {
  const { connection } = navigator as { connection?: { saveData: boolean } }
  if (!connection?.saveData) navigator.serviceWorker?.register('/worker.js').catch(() => {})
  followOutbox()
}
