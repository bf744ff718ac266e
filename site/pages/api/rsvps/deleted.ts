import { getDeletedRsvps } from '#db/rsvp/list.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/rsvps/deleted', getDeletedRsvps)
