import { forgetRsvp, type KeptRsvp, listKeptRsvps, OUTBOX_CHANGED, sendKeptRsvps } from '#site/lib/outbox.ts'
import { RSVP_DRAFT } from '#site/lib/rsvp-form.ts'
import { writeSession } from '#site/lib/session.ts'
import { t } from '#site/texts/texts.ts'
import { $keptRsvps } from './kept-rsvps.ts'
import { addToast } from './toasts.ts'

/** Shows what this device keeps, whoever changes it, and sends what waits as soon as it is online. */
export function followOutbox(): void {
  new BroadcastChannel(OUTBOX_CHANGED).onmessage = () => showKept()
  addEventListener('online', trySend)
  showKept().then(trySend)
}

/** Sends what waits. What cannot be sent goes on waiting. */
export async function trySend(): Promise<void> {
  await sendKeptRsvps().catch(() => {})
}

/** Forgets one that the visitor has seen, or does not want any more. */
export function dismissKept({ key }: KeptRsvp): Promise<void> {
  return forgetRsvp(key)
}

/** Puts it back into the form. */
export async function editKept({ key, draft }: KeptRsvp): Promise<void> {
  writeSession(RSVP_DRAFT, draft)
  await forgetRsvp(key)
  location.reload()
}

async function showKept(): Promise<void> {
  const before = $keptRsvps.get()
  // Without a database nothing was kept.
  const kept = await listKeptRsvps().catch(() => [])
  $keptRsvps.set(kept)
  const isNew = ({ key, state }: KeptRsvp) =>
    state === 'stored' && before.some((each) => each.key === key && each.state === 'waiting')
  if (kept.some(isNew)) addToast({ title: t('RSVP Submitted'), description: t('Thank you for your response!') })
}
