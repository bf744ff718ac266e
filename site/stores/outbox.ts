import { forgetRsvp, type KeptRsvp, listKeptRsvps, OUTBOX_CHANGED, sendKeptRsvps } from '#site/lib/outbox.ts'
import { isReached, tryLater } from '#site/lib/request.ts'
import { rsvpDraft } from '#site/lib/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { $keptRsvps } from './own-rsvps.ts'
import { thank } from './thanks.ts'
import { addErrorToast, addToast } from './toasts.ts'

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
  showKept().then(trySend)
  addEventListener('online', removeOfflineNote)
  removeOfflineNote()
}

/** Removes the note of the worker once the site replies: without a reload, which would lose the input. */
async function removeOfflineNote(): Promise<void> {
  const note = document.getElementById('offline-note')
  if (note && navigator.onLine && (await isReached())) note.remove()
  else if (note) tryLater('note', removeOfflineNote)
}

/** RSVPs that cannot be sent keep waiting. */
async function trySend(): Promise<void> {
  // On a connection that hangs, each return to the page would queue another try.
  if (isTrying || !isAnyWaiting()) return
  isTrying = true
  await sendKeptRsvps().catch(sendLater)
  isTrying = false
}

let isTrying = false

function sendLater(): void {
  if (isAnyWaiting()) tryLater('/api/rsvp', trySend)
}

/** In case the page is closed: with background sync, the browser wakes the worker once the device is online. */
export function wakeWorker(): void {
  navigator.serviceWorker?.ready.then((worker) => (worker as WithSync).sync?.register('rsvp')).catch(() => {})
}

type WithSync = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }

function isAnyWaiting(): boolean {
  return $keptRsvps.get().some(({ state }) => state === 'waiting')
}

/** Sends on the visitor's request, and says if that fails. */
export async function sendNow(): Promise<void> {
  await sendKeptRsvps().catch(() => addErrorToast(t('Failed to submit RSVP. Please try again.')))
}

export async function editKept(kept: KeptRsvp): Promise<void> {
  let isInForm = false
  await forgetRsvp(kept, () => {
    rsvpDraft.keep(kept.draft)
    isInForm = true
  })
  if (isInForm) location.reload()
}

/** Of those that are stored, one tab shows the thank-you, and keeps it from then on. */
async function showKept(): Promise<void> {
  // Without a database nothing is kept.
  const kept = await listKeptRsvps().catch(() => [])
  $keptRsvps.set(kept.filter(({ state }) => state !== 'stored'))
  sendLater()
  if (document.hidden) return
  for (const rsvp of kept) {
    if (rsvp.state !== 'stored') continue
    thank(rsvp.recorded)
    addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
    await forgetRsvp(rsvp)
  }
}
