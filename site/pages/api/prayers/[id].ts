import { changePrayer } from '#db/rsvp/prayers.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/prayers/[id]', changePrayer)
