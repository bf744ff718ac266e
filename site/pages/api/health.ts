import { checkHealth } from '#db/health.ts'
import { endpoint, onlyAllow } from '#site/server/endpoint.ts'

export const GET = endpoint(checkHealth, { access: 'guest' })
export const HEAD = GET
export const ALL = onlyAllow('GET, HEAD')
