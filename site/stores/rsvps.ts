import { LATEST_RSVPS } from '#site/lib/share-view.ts'
import { createResource } from './resource.ts'

export const $allRsvps = createResource('/api/rsvps', 'Failed to load responses')
export const $latestRsvps = createResource(`/api/rsvps?limit=${LATEST_RSVPS}`, 'Failed to load responses')
