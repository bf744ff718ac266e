import { forgetRsvp, type KeptRsvp, listKeptRsvps, OUTBOX_CHANGED, sendKeptRsvps } from '#site/lib/outbox.ts'
import { readText } from '#site/lib/storage.ts'
import { t } from '#site/texts/texts.ts'
import { $keptRsvps, $thanks } from './own-rsvps.ts'
import { RSVP_THANKS, rsvpDraft } from './rsvp-form.ts'
import { thank } from './thanks.ts'
import { addToast } from './toasts.ts'

const RETRY_DELAY_MS = 10_000

/** Begins to show and send kept RSVPs, and registers the service worker, unless the visitor saves data. */
export function startWorker(): void {
  const { connection } = navigator as { connection?: { saveData: boolean } }
  // The development server has no worker.
  if (import.meta.env.PROD && !connection?.saveData) navigator.serviceWorker?.register('/worker.js').catch(() => {})
  followOutbox()
}

/**
 * Shows the RSVPs that this device keeps, also after changes by other tabs or the worker. Sends waiting ones when the
 * device comes online, when the visitor returns to the page, and every few seconds: a connection may be up but not work.
 */
function followOutbox(): void {
  new BroadcastChannel(OUTBOX_CHANGED).onmessage = () => showKept()
  for (const name of ['online', 'focus']) addEventListener(name, trySend)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) showKept().then(trySend)
    else if (isAnyWaiting()) requestSync()
  })
  setInterval(trySend, RETRY_DELAY_MS)
  $thanks.listen((thanks) => thanks?.isNew || showKept())
  showKept().then(trySend)
  // The worker's note is removed without a reload, which would lose the input.
  addEventListener('online', () => document.getElementById('offline-note')?.remove())
}

let isSending = false

/** An RSVP that cannot be sent keeps waiting. */
async function trySend(): Promise<void> {
  // On a connection that hangs, each return to the page would queue another attempt.
  if (isSending || !isAnyWaiting()) return
  isSending = true
  await sendKeptRsvps().catch(() => {})
  isSending = false
}

/** Requests a background sync: the browser wakes the worker once the device is online, also after the page was closed. */
export function requestSync(): void {
  navigator.serviceWorker?.ready.then((worker) => (worker as WithSync).sync?.register('rsvp')).catch(() => {})
}

type WithSync = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }

function isAnyWaiting(): boolean {
  return $keptRsvps.get().some(({ state }) => state === 'waiting')
}

/** Returns a kept RSVP to the form. */
export async function editKept(kept: KeptRsvp): Promise<void> {
  if (!(await forgetRsvp(kept))) return
  rsvpDraft.keep(kept.draft)
  location.reload()
}

/** The key of the RSVP thanked for last: the device keeps that RSVP for a moment longer. */
let thankedKey: string | undefined

/** Shows the waiting and refused RSVPs, and the thank-you for one that was stored, which this tab keeps from then on. */
async function showKept(): Promise<void> {
  // A browser without IndexedDB keeps nothing.
  const kept = await listKeptRsvps().catch(() => [])
  $keptRsvps.set(kept.filter(({ state }) => state !== 'stored'))
  // One thank-you at a time: the next would replace a private link that its visitor still needs.
  if (document.hidden || readText(RSVP_THANKS)) return
  const rsvp = kept.find(({ state, key }) => state === 'stored' && key !== thankedKey)
  if (!rsvp) return
  thankedKey = rsvp.key
  thank(rsvp.recorded)
  addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
  await forgetRsvp(rsvp)
}
