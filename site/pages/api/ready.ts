import type { APIContext } from 'astro'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { checkReady } from '#site/server/calls/ready.ts'

export const GET = endpoint('GET /api/ready', checkReady, {
  input: isStoppingOf,
})

function isStoppingOf({ locals: { isStopping } }: APIContext) {
  return { isStopping }
}
