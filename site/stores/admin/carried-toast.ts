import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import type { Notice } from '#site/stores/toasts.ts'

/** Where a notice waits while the page is loaded again (session storage). */
const CARRIED_TOAST = 'notice-after-reload'

export type MergedFrom = { newest: StoredRsvp; changedAt: string | null }

/** What survives a reload of a notice: its texts, and the responses whose deletion it can take back. */
type CarriedToast = Pick<Notice, 'title' | 'description' | 'variant'> & {
  deleted?: number[]
  /** Instead of them, where they are too many to be named: the moment at which they were deleted. */
  deletedAt?: string
  /** What the button for that is called, if not Undo. */
  label?: string
  /** The row behind the first one deleted: the keyboard goes on there. */
  nextRow?: number | undefined
  /** What the response said into which they were merged, and when that was done. */
  kept?: MergedFrom
  /** Instead of a row: what the keyboard goes on at, as a selector. */
  next?: string
}

/** Reloads the page and shows the notice there: the page as it is now would take it away. */
export function reloadWithToast(notice: CarriedToast): void {
  carryToast({ ...notice, nextRow: nextRow(new Set(notice.deleted)) })
  location.reload()
}

/** Shows the notice when the administration is opened next, in this tab. */
export function carryToast(notice: CarriedToast): void {
  writeSession(CARRIED_TOAST, JSON.stringify(notice))
}

function nextRow(deleted: Set<number>): number | undefined {
  const ids = Array.from(document.querySelectorAll<HTMLElement>('[data-rsvp]'), ({ dataset }) => Number(dataset.rsvp))
  const first = ids.findIndex((id) => deleted.has(id))
  return first < 0 ? undefined : ids.slice(first).find((id) => !deleted.has(id))
}

/** The notice that was carried over a reload; it can be taken once. */
export function takeCarriedToast(): CarriedToast | undefined {
  const carried = readSession(CARRIED_TOAST)
  writeSession(CARRIED_TOAST, '')
  try {
    return JSON.parse(carried)
  } catch {
    return undefined
  }
}
