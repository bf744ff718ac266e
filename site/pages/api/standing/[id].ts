import { changeStanding } from '#db/rsvp/standing.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/standing/[id]', changeStanding)
