import { getTableRows } from '#db/rsvp/table-page.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { replyWithPrint } from '#site/server/calls/rsvp-print.tsx'
import { filterOf } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/rsvps/print', getTableRows, { input: filterOf, respond: replyWithPrint })
