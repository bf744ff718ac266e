import { prove } from '#db/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { browserOf } from '#site/server/calls/sign-in.ts'

export const POST = endpoint('POST /api/session/proof', (input, call, context) =>
  prove({ ...input, ...browserOf(context) }, call),
)
