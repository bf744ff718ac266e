import { eraseRsvps } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/erase', eraseRsvps, { reply: (erased) => ({ json: { erased } }) })
