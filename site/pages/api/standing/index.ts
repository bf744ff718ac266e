import { listStanding } from '#db/standing/operations.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/standing', listStanding, {})
