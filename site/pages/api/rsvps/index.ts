import { listRsvps } from '#db/rsvp/list/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { filterOf, replyWithRsvps } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/rsvps', listRsvps, { input: filterOf, respond: replyWithRsvps })
