import { listPrayers } from '#db/prayer/operations.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/prayers', listPrayers, {})
