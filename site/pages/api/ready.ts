import { endpoint } from '#site/server/calls/endpoint.ts'
import { checkReady } from '#site/server/calls/ready.ts'

export const GET = endpoint('GET /api/ready', checkReady, {
  input: ({ locals: { isStopping } }) => ({ isStopping }),
})
