import { getRegistrationOptions } from '#db/access/passkeys.ts'
import { startCeremony } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/passkeys/options', (input, call, context) =>
  getRegistrationOptions({ ...input, ceremony: startCeremony(context) }, call),
)
