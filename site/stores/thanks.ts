import { atom } from 'nanostores'
import { type Recorded, recordedOfStored } from '#site/lib/recorded.ts'
import { REMEMBERED } from '#site/lib/remembered.ts'
import { RSVP_THANKS } from '#site/lib/rsvp-form.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { showRemembered } from '#site/lib/show-remembered.ts'
import { readOwnRsvp } from './remembered.ts'

/** What the thank-you says, and whether it comes in place of the form that was just sent. */
export const $thanks = atom<{ recorded: Recorded; isNew: boolean } | undefined>()

/** Shows the thank-you, and keeps it in this tab: a reload must not lose the private link. */
export function thank(recorded: Recorded, isNew = true): void {
  writeSession(RSVP_THANKS, JSON.stringify(recorded))
  $thanks.set({ recorded, isNew })
}

/** Shows the thank-you that this tab keeps, and what its RSVP says by now: it may have been changed, or be over. */
export function followThanks(): void {
  const recorded = readThanks()
  if (recorded) $thanks.set({ recorded, isNew: false })
  else writeSession(RSVP_THANKS, '')
  refreshThanks()
  // Back shows the page as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshThanks())
}

/** Leaves nothing of it in this tab, nor in the cookie of the private link: the next family may use the same device. */
export function endThanks(): void {
  forgetThanks()
  closeLink()
}

/** A link without its key takes that of an earlier one away. */
export function closeLink(): void {
  fetch('/answer?key=', { redirect: 'manual' }).catch(() => {})
}

async function refreshThanks(): Promise<void> {
  const kept = readThanks()
  const link = kept?.link ?? ''
  const key = URL.canParse(link) && new URL(link).searchParams.get('key')
  const rsvp = key ? await readOwnRsvp(key).catch(() => undefined) : undefined
  // Another RSVP may have been sent meanwhile, or the visitor be done.
  if (!kept || rsvp === undefined || readThanks()?.link !== link) return
  // Whoever has withdrawn it may still take that back on the page of the private link.
  if (rsvp === null || rsvp.withdrawnAt !== null) forgetThanks()
  else thank({ ...recordedOfStored(rsvp, kept.serviceDate !== undefined), link }, false)
}

function forgetThanks(): void {
  writeSession(RSVP_THANKS, '')
  $thanks.set(undefined)
  showRemembered(REMEMBERED, RSVP_THANKS)
}

function readThanks(): Recorded | undefined {
  try {
    const recorded: Recorded = JSON.parse(readSession(RSVP_THANKS))
    // Offline, or without a link, no one else says that the service is over: two days cover every time zone.
    const isOver = Date.parse(recorded.serviceDate ?? '') + 2 * 86_400_000 < Date.now()
    return isOver ? undefined : recorded
  } catch {
    return undefined
  }
}
