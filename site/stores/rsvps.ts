import type { PublicRsvp } from '#db/rsvp/schema.ts'
import { LATEST_RSVPS } from '#site/lib/share-view.ts'
import { createResource } from './resource.ts'

export const $allRsvps = createResource<PublicRsvp[]>('/api/rsvps', 'Failed to load responses')
export const $latestRsvps = createResource<PublicRsvp[]>(`/api/rsvps?limit=${LATEST_RSVPS}`, 'Failed to load responses')
