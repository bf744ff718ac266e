import { forgetRsvp, type KeptRsvp, listKeptRsvps, OUTBOX_CHANGED, sendKeptRsvps } from '#site/lib/outbox.ts'
import { readText } from '#site/lib/storage.ts'
import { t } from '#site/texts/texts.ts'
import { $keptRsvps, $thanks } from './own-rsvps.ts'
import { RSVP_THANKS, rsvpDraft } from './rsvp-form.ts'
import { thank } from './thanks.ts'
import { addToast } from './toasts.ts'

const RETRY_DELAY_MS = 10_000

/**
 * Shows the RSVPs that this device keeps, also after changes by other tabs or the worker, and sends those that wait
 * once it is online. As a connection may be up without working, they are tried again after a while and at each return
 * to the page.
 */
export function followOutbox(): void {
  new BroadcastChannel(OUTBOX_CHANGED).onmessage = () => showKept()
  for (const name of ['online', 'focus']) addEventListener(name, trySend)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) showKept().then(trySend)
    else if (isAnyWaiting()) wakeWorker()
  })
  setInterval(trySend, RETRY_DELAY_MS)
  $thanks.listen((thanks) => thanks?.isNew || showKept())
  showKept().then(trySend)
  // The note of the worker goes without a reload, which would lose the input.
  addEventListener('online', () => document.getElementById('offline-note')?.remove())
}

/** RSVPs that cannot be sent keep waiting. */
async function trySend(): Promise<void> {
  // On a connection that hangs, each return to the page would queue another try.
  if (isTrying || !isAnyWaiting()) return
  isTrying = true
  await sendKeptRsvps().catch(() => {})
  isTrying = false
}

let isTrying = false

/** In case the page is closed: with background sync, the browser wakes the worker once the device is online. */
export function wakeWorker(): void {
  navigator.serviceWorker?.ready.then((worker) => (worker as WithSync).sync?.register('rsvp')).catch(() => {})
}

type WithSync = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }

function isAnyWaiting(): boolean {
  return $keptRsvps.get().some(({ state }) => state === 'waiting')
}

export async function editKept(kept: KeptRsvp): Promise<void> {
  if (!(await forgetRsvp(kept))) return
  rsvpDraft.keep(kept.draft)
  location.reload()
}

/** Of those that are stored, one tab shows the thank-you, and keeps it from then on. */
async function showKept(): Promise<void> {
  // Without a database nothing is kept.
  const kept = await listKeptRsvps().catch(() => [])
  $keptRsvps.set(kept.filter(({ state }) => state !== 'stored'))
  // One after another: the next would replace the private link of the one before, until its visitor is done.
  if (document.hidden || readText(RSVP_THANKS)) return
  const rsvp = kept.find(({ state }) => state === 'stored')
  if (!rsvp) return
  thank(rsvp.recorded)
  addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
  await forgetRsvp(rsvp)
}
