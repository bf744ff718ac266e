import { listRsvps } from '#db/rsvp/list.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { filterOf, replyWithCsv } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/rsvps/download', listRsvps, { input: filterOf, respond: replyWithCsv })
