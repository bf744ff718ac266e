import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/share-view.ts'
import { createResource } from './resource.ts'

export const $newestRsvps = createResource(`/api/rsvps?limit=${LISTED_RSVPS}`, 'Failed to load responses')
export const $latestRsvps = createResource(`/api/rsvps?limit=${LATEST_RSVPS}`, 'Failed to load responses')
