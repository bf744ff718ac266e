import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sessionDraft } from '#site/lib/session.ts'
import type { Notice } from '#site/stores/toasts.ts'

/** What was merged into the newest response: what that said before, and when it was done. */
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
  /** How they were merged. */
  kept?: MergedFrom
  /** Instead of a row: what the keyboard goes on at, as a selector. */
  next?: string
}

/** Where a notice waits while the page is loaded again; it is shown when the administration is opened next, in this tab. */
export const carriedToast = sessionDraft<CarriedToast>('notice-after-reload', JSON.parse)

/** Reloads the page and shows the notice there: the page as it is now would take it away. */
export function reloadWithToast(notice: CarriedToast): void {
  carriedToast.keep({ ...notice, nextRow: nextRow(new Set(notice.deleted)) })
  location.reload()
}

function nextRow(deleted: Set<number>): number | undefined {
  const ids = Array.from(document.querySelectorAll<HTMLElement>('[data-rsvp]'), ({ dataset }) => Number(dataset.rsvp))
  const first = ids.findIndex((id) => deleted.has(id))
  return first < 0 ? undefined : ids.slice(first).find((id) => !deleted.has(id))
}
