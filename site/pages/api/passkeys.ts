import { addPasskey } from '#db/access/passkeys.ts'
import { ceremonyOf } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/passkeys', (input, call, context) =>
  addPasskey({ ...input, ceremony: ceremonyOf(context) }, call),
)
