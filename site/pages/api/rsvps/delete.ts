import { deleteSelection } from '#db/rsvp/retention/selection.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/delete', deleteSelection, {})
