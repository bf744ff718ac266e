import { checkHealth } from '#db/health/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint(checkHealth, { access: 'guest' })
export const HEAD = GET
