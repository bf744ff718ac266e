import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { checkReadable } from '#db/health/operations.ts'
import { operation } from '#db/operation.ts'

/**
 * Whether this site should get requests.
 * @throws UserError 'stopping' once it was told to end; as `checkReadable` where the database cannot be read.
 */
export const checkReady = operation(z.object({ isStopping: z.optional(z.boolean()) }), async ({ isStopping }, call) => {
  if (isStopping)
    throw new UserError('stopping', 'This site is stopping. Ask another one, or the same again in a moment.')
  await checkReadable(call)
  return { status: 'ready' as const }
})
