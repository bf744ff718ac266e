import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { checkReadable } from '#db/health/operations.ts'
import { operation } from '#db/operation.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

const checkReady = operation(z.object({ isStopping: z.optional(z.boolean()) }), async ({ isStopping }, call) => {
  if (isStopping)
    throw new UserError('stopping', 'This site is stopping. Use another one, or try this one again in a moment.')
  await checkReadable(call)
  return { status: 'ready' as const }
})

export const GET = endpoint('GET /api/ready', checkReady, {
  input: ({ locals: { isStopping } }: APIContext) => ({ isStopping }),
})
