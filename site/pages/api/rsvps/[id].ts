import { deleteRsvp } from '#db/rsvp/operations.ts'
import { endpoint, onlyAllow } from '#site/server/endpoint.ts'

export const DELETE = endpoint(deleteRsvp, { access: 'administrator' })
export const ALL = onlyAllow('DELETE')
