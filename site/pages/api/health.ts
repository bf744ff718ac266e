import { checkHealth } from '#db/health/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint((_query, call) => checkHealth(call), { access: 'guest' })
export const HEAD = GET
