import { getDeletedRsvps } from '#db/rsvp/list.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/rsvps/deleted', getDeletedRsvps, {})
