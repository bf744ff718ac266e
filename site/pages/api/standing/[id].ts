import { endStanding } from '#db/standing/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const DELETE = endpoint('DELETE /api/standing/[id]', endStanding, {})
