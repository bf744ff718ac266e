import { getDeletedRsvps } from '#db/rsvp/list/deleted.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/rsvps/deleted', getDeletedRsvps, {})
