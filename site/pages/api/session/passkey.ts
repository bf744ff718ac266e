import { getAuthenticationOptions } from '#db/access/passkeys.ts'
import { startCeremony } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/session/passkey', (_, call, context) =>
  getAuthenticationOptions({ ceremony: startCeremony(context) }, call),
)
