import { listPrayers } from '#db/rsvp/prayers.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/prayers', (_, call) => listPrayers(call))
