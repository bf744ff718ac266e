import { deleteRsvp } from '#db/rsvp/retention/deletion.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const DELETE = endpoint('DELETE /api/rsvps/[id]', deleteRsvp, {})
