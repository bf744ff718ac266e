import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserError } from '#db/errors.ts'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'

/** Each holds its body in memory, and pictures are prepared one at a time. */
const AT_ONCE = 2

/**
 * The calls whose body may be larger than that of all others, each as the table of calls says.
 * @param admit is asked before the body is read.
 */
export function acceptUploads<Body>(
  front: FastifyInstance,
  admit: (request: FastifyRequest<{ Body: Body }>) => Promise<void>,
  handler: (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => unknown,
): void {
  let open = 0
  for (const [name, { upload }] of Object.entries<CallDescription>(calls)) {
    if (upload === undefined) continue
    const [method = '', url = ''] = name.split(' ')
    front.route<{ Body: Body }>({
      method,
      url,
      bodyLimit: upload.maximum,
      handler,
      onRequest: async (request, reply) => {
        await admit(request)
        if (open >= AT_ONCE)
          throw new UserError('overloaded', 'Other pictures are being sent just now. Send it again in a minute.')
        open += 1
        reply.raw.once('close', () => {
          open -= 1
        })
      },
    })
  }
}
