import { checkHealth } from '#db/health.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/health', (_, call) => checkHealth(call))
