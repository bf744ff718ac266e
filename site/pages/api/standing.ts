import { listStanding } from '#db/rsvp/standing.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/standing', listStanding)
