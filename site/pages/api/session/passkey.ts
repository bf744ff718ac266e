import { getAuthenticationOptions } from '#db/access/passkeys.ts'
import { startCeremony } from '#site/server/access/ceremony.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

// The call has no body.
export const POST = endpoint('POST /api/session/passkey', getAuthenticationOptions, { input: startCeremony })
