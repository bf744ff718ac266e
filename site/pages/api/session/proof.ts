import { prove } from '#db/access/sign-in.ts'
import { browserOf } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/session/proof', (input, call, context) =>
  prove({ ...input, ...browserOf(context) }, call),
)
