import { countRsvpsOf } from '#db/rsvp/delete.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/erase/count', countRsvpsOf, { reply: (count) => ({ json: { count } }) })
