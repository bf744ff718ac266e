import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/share-view.ts'
import { createResource } from './resource.ts'
import { addErrorToast } from './toasts.ts'

export const $newestRsvps = createResource(`/api/rsvps?limit=${LISTED_RSVPS}`, tellFailure)
export const $latestRsvps = createResource(`/api/rsvps?limit=${LATEST_RSVPS}`, tellFailure)

function tellFailure(): void {
  addErrorToast('Failed to load responses')
}
