import { restoreRsvp } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/[id]/restore', restoreRsvp, { input: ({ params }) => params })
