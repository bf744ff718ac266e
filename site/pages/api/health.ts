import { checkHealth } from '#db/health/operations.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/health', checkHealth, {})
