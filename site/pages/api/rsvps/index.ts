import { addRsvp } from '#db/rsvp/entry.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { entryHeaders } from '#site/server/calls/request-headers.ts'
import { filterOf, replyWithRsvps } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/rsvps', listRsvps, { input: filterOf, respond: replyWithRsvps })

export const POST = endpoint('POST /api/rsvps', addRsvp, { fromHeaders: entryHeaders })
