import { listCells } from '#db/rsvp/list/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { filterOf, replyWithCsv } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/rsvps/download', listCells, { input: filterOf, respond: replyWithCsv })
